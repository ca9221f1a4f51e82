import type { ReactNode } from "react";
import { Address } from "../../components/address.tsx";
import { cardName } from "../../components/card-name.ts";
import type { PostalAddress } from "../../components/postal-address.ts";
import { Price } from "../../components/price.tsx";
import type { PurchaseDocument } from "./read-document.ts";

const CAPS = [
  ["max_total_minor", "in all"],
  ["max_subtotal_minor", "for the goods"],
  ["max_item_minor", "for one item"],
  ["max_shipping_minor", "for delivery"],
] as const;

/** A purchase, every member of what is signed: what one compares by eye here, its ids and digests in `WordForWord`. */
export function Purchase({
  document,
  address,
  timeLeft,
}: {
  readonly document: PurchaseDocument;
  /** That of the document's digest; null where nothing is delivered. */
  readonly address: PostalAddress | null;
  readonly timeLeft: ReactNode;
}) {
  const { lines, delivery, destination, currency, card, constraints, user_prompt } = document;
  const caps = CAPS.flatMap(([name, what]) => {
    const amountMinor = constraints?.[name] ?? null;
    return amountMinor === null ? [] : [{ what, amountMinor }];
  });
  return (
    <>
      <Total document={document} timeLeft={timeLeft} />
      <ul aria-label="What is bought" className="mt-2 divide-y divide-line border-t border-line">
        {lines.map(({ sku, title, variant_title, quantity, total_minor }) => (
          <li key={sku} className="flex items-baseline justify-between gap-4 py-1.5">
            <span className="min-w-0 wrap-anywhere">
              <span className="figures">{quantity} ×</span> <bdi>{title}</bdi>
              {variant_title !== null && <bdi className="text-muted">, {variant_title}</bdi>}
            </span>
            <Price amountMinor={total_minor} currency={currency} />
          </li>
        ))}
        <li className="flex items-baseline justify-between gap-4 py-1.5">
          {delivery ? (
            <>
              <bdi className="min-w-0 wrap-anywhere">{delivery.title}</bdi>
              <Price amountMinor={delivery.amount_minor} currency={currency} />
            </>
          ) : (
            <span className="text-muted">
              Delivery is chosen and priced at the shop’s checkout, within the amount above.
            </span>
          )}
        </li>
      </ul>
      <dl className="divide-y divide-line border-y border-line">
        <Fact name={destination.kind === "pickup" ? "Collected at" : "Goes to"}>
          <WhereTo destination={destination} address={address} />
        </Fact>
        <Fact name="Paid with">{cardName(card)}</Fact>
        {caps.length > 0 && (
          <Fact name="Asked for with caps">
            {caps.map(({ what, amountMinor }, at) => (
              <span key={what}>
                {at > 0 && ", "}
                <Price amountMinor={amountMinor} currency={currency} /> {what}
              </span>
            ))}
          </Fact>
        )}
        {user_prompt !== null && (
          <Fact name="You asked">
            “<bdi className="wrap-anywhere whitespace-pre-line">{user_prompt}</bdi>”
          </Fact>
        )}
      </dl>
    </>
  );
}

function Total({ document, timeLeft }: { readonly document: PurchaseDocument; readonly timeLeft: ReactNode }) {
  const { amount_minor, amount_is_final, currency } = document;
  return (
    <>
      <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          {!amount_is_final && <span className="text-lead">At most </span>}
          <Price amountMinor={amount_minor} currency={currency} size="display" />
        </span>
        <span className="text-small whitespace-nowrap text-muted">{timeLeft} left</span>
      </p>
      <p className="text-small text-muted">
        {amount_is_final
          ? "This is the charge, with delivery and tax."
          : "The shop adds what is missing, such as tax, at its checkout. The charge may be lower, never higher."}
      </p>
    </>
  );
}

function WhereTo({
  destination,
  address,
}: {
  readonly destination: PurchaseDocument["destination"];
  readonly address: PostalAddress | null;
}) {
  if (destination.kind === "digital") return "Your e-mail";
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
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
