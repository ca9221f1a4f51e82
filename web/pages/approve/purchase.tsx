import type { ReactNode } from "react";
import { Address } from "../../components/address.tsx";
import { cardName } from "../../components/card-name.ts";
import type { PostalAddress } from "../../components/postal-address.ts";
import { Price } from "../../components/price.tsx";
import type { PurchaseDocument } from "./read-document.ts";

const CAPS = [
  ["max_total_minor", "total"],
  ["max_subtotal_minor", "for goods"],
  ["max_item_minor", "per item"],
  ["max_shipping_minor", "for delivery"],
] as const;

/** All signed members of a purchase. `WordForWord` shows the ids and digests. */
export function Purchase({
  document,
  address,
  timeLeft,
}: {
  readonly document: PurchaseDocument;
  /** Delivery address that matches the digest in the document. Null if nothing is delivered. */
  readonly address: PostalAddress | null;
  readonly timeLeft: ReactNode;
}) {
  const { lines, delivery, destination, currency, card, card_entry, constraints, user_prompt } = document;
  const caps = CAPS.flatMap(([name, what]) => {
    const amountMinor = constraints?.[name] ?? null;
    return amountMinor === null ? [] : [{ what, amountMinor }];
  });
  return (
    <>
      <Total document={document} timeLeft={timeLeft} />
      <ul aria-label="Items" className="mt-2 divide-y divide-line border-t border-line">
        {lines.map(({ sku, title, variant_title, quantity, total_minor }) => (
          <li key={sku} className="flex items-baseline justify-between gap-4 py-1">
            <span className="min-w-0 wrap-anywhere">
              <span className="figures">{quantity} ×</span> <bdi>{title}</bdi>
              {variant_title !== null && <bdi className="text-muted">, {variant_title}</bdi>}
            </span>
            <Price amountMinor={total_minor} currency={currency} />
          </li>
        ))}
        <li className="flex items-baseline justify-between gap-4 py-1">
          {delivery ? (
            <>
              <bdi className="min-w-0 wrap-anywhere">{delivery.title}</bdi>
              <Price amountMinor={delivery.amount_minor} currency={currency} />
            </>
          ) : (
            <span className="text-muted">
              Delivery is selected at the merchant’s checkout, within the amount above.
            </span>
          )}
        </li>
      </ul>
      <dl className="divide-y divide-line border-y border-line">
        <Fact name={destination.kind === "pickup" ? "Pickup at" : "Delivery to"}>
          <Destination destination={destination} address={address} />
        </Fact>
        <div className="py-1">
          <dt className="inline text-muted">Paid with</dt>{" "}
          <dd className="inline">
            {cardName(card)}, <CardEntry entry={card_entry} />
          </dd>
        </div>
        {caps.length > 0 && (
          <Fact name="Requested limits">
            {caps.map(({ what, amountMinor }, at) => (
              <span key={what}>
                {at > 0 && ", "}
                <Price amountMinor={amountMinor} currency={currency} /> {what}
              </span>
            ))}
          </Fact>
        )}
        {user_prompt !== null && (
          <Fact name="Your request">
            “<bdi className="wrap-anywhere whitespace-pre-line">{user_prompt}</bdi>”
          </Fact>
        )}
      </dl>
    </>
  );
}

/** The only origins at which the card is entered. The merchant's own includes subdomains of its site. */
function CardEntry({ entry: { page_origins, frame_origins } }: { readonly entry: PurchaseDocument["card_entry"] }) {
  const [own = "", ...others] = [...new Set([...page_origins, ...(frame_origins ?? [])])];
  return (
    <>
      only at <bdi className="font-mono text-small wrap-anywhere">{withoutHttps(own)}</bdi>
      {others.map((origin) => (
        <span key={origin}>
          {", "}
          <bdi className="font-mono text-small wrap-anywhere text-caution">{withoutHttps(origin)}</bdi>
        </span>
      ))}
      {frame_origins === null && " or known processors"}
    </>
  );
}

const withoutHttps = (origin: string) => origin.replace(/^https:\/\//, "");

function Total({ document, timeLeft }: { readonly document: PurchaseDocument; readonly timeLeft: ReactNode }) {
  const { amount_minor, amount_is_final, currency } = document;
  return (
    <>
      <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          {!amount_is_final && <span className="text-lead">Up to </span>}
          <Price amountMinor={amount_minor} currency={currency} size="display" />
        </span>
        <span className="text-small whitespace-nowrap text-muted">{timeLeft} left</span>
      </p>
      <p className="text-small text-muted">
        {amount_is_final
          ? "Final amount, with delivery and tax."
          : "The merchant may add tax or delivery at checkout. The charge cannot exceed this amount."}
      </p>
    </>
  );
}

function Destination({
  destination,
  address,
}: {
  readonly destination: PurchaseDocument["destination"];
  readonly address: PostalAddress | null;
}) {
  if (destination.kind === "digital") return "Your email";
  if (destination.kind === "pickup") {
    return (
      <>
        <bdi className="block wrap-anywhere">{destination.name}</bdi>
        {destination.address !== null && <bdi className="block wrap-anywhere">{destination.address}</bdi>}
      </>
    );
  }
  return address && <Address address={address} />;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-1">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
