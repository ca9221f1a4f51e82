import type { ReactNode } from "react";
import { Price } from "../../components/price.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";

/** What was charged; until that is known, what may be at most. */
export function Amount({ order, size }: { readonly order: OrderRowFragment; readonly size: "body" | "display" }) {
  const { amountMinor, amountChargedMinor, amountIsFinal, currency } = order;
  if (currency === null) return <span className="text-muted">–</span>;
  const strong = size === "body" ? "font-semibold" : "";
  if (amountChargedMinor !== null) {
    return <Price amountMinor={amountChargedMinor} currency={currency} size={size} className={strong} />;
  }
  if (amountMinor === null) return <span className="text-muted">–</span>;
  return (
    <span>
      {!amountIsFinal && <span className="text-muted">at most </span>}
      <Price
        amountMinor={amountMinor}
        currency={currency}
        size={size}
        className={order.isTerminal ? "text-muted" : strong}
      />
    </span>
  );
}

/** What the loudest figure means. */
export function amountNote({ amountChargedMinor, isTerminal, retryable, status }: OrderRowFragment): ReactNode {
  if (amountChargedMinor !== null) return "charged, as the shop’s page said";
  if (!isTerminal) return "to pay";
  if (status === "succeeded") return "was approved; the shop’s page told no charge";
  return retryable === null ? "may have been charged" : "was approved. Nothing was charged";
}
