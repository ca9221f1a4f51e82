import { countryName } from "./countries.ts";
import type { PostalAddress } from "./postal-address.ts";

/** Complete postal address in the order of a shipping label, on one line that may wrap. */
export function Address({ address }: { readonly address: PostalAddress }) {
  const { firstName, lastName, company, address1, address2, city, provinceCode, postalCode, countryCode, phone } =
    address;
  const cityLine = [city, provinceCode, postalCode].filter(Boolean).join(" ");
  const parts = [`${firstName} ${lastName}`, company, address1, address2, cityLine, countryName(countryCode), phone];
  return (
    <address className="wrap-anywhere not-italic">
      {parts.filter(Boolean).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the part
        <bdi key={index}>
          {index > 0 && ", "}
          {part}
        </bdi>
      ))}
    </address>
  );
}
