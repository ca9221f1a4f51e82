import { Section } from "../../components/section.tsx";

/** Explains which card data is stored, who can see it and for how long. */
export function StoredData({ keepsSecurityCodes }: { readonly keepsSecurityCodes: boolean }) {
  return (
    <Section title="Stored data">
      <ul className="grid max-w-[72ch] list-disc gap-1 pl-5">
        <li>
          The number is stored encrypted. It is decrypted for one purchase at a time and never displayed, not even to
          you.
        </li>
        {keepsSecurityCodes ? (
          <li>The security code is encrypted with it.</li>
        ) : (
          <li>Security codes are not stored. If a merchant requires the code, you enter it on the order page.</li>
        )}
        <li>Agents see the brand, the last four digits, the expiry date, the names and the billing country.</li>
        <li>Removing a card deletes its number. Orders still show its brand and last four digits.</li>
      </ul>
    </Section>
  );
}
