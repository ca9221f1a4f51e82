import type { ReactNode } from "react";
import { Price } from "../../components/price.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";

/** Amount charged, or the approved maximum until the charge is known. */
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
      {!amountIsFinal && <span className="text-muted">up to </span>}
      <Price
        amountMinor={amountMinor}
        currency={currency}
        size={size}
        className={order.isTerminal ? "text-muted" : strong}
      />
    </span>
  );
}

/** Returns a note that explains the displayed amount. */
export function amountNote({ amountChargedMinor, isTerminal, retryable, status }: OrderRowFragment): ReactNode {
  if (amountChargedMinor !== null) return "Charged, as reported by the merchant";
  if (!isTerminal) return "To be charged";
  if (status === "SUCCEEDED") return "Approved. The merchant reported no charge";
  return retryable === null ? "Approved, charge not confirmed" : "Approved, not charged";
}
