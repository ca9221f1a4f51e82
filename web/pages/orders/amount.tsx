import type { ReactNode } from "react";
import { Price } from "../../components/price.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";

/** Amount charged, or the approved maximum until the charge is known. */
export function Amount({ order, size }: { readonly order: OrderRowFragment; readonly size: "body" | "display" }) {
  const { amount, amountCharged, amountIsFinal } = order;
  const strong = size === "body" ? "font-semibold" : "";
  if (amountCharged) return <Price {...amountCharged} size={size} className={strong} />;
  if (!amount) return <span className="text-muted">–</span>;
  return (
    <span>
      {!amountIsFinal && <span className="text-muted">up to </span>}
      <Price {...amount} size={size} className={order.isTerminal ? "text-muted" : strong} />
    </span>
  );
}

/** Returns a note that explains the displayed amount. */
export function amountNote({ amountCharged, isTerminal, retryable, status }: OrderRowFragment): ReactNode {
  if (amountCharged) return "Charged, as reported by the merchant";
  if (!isTerminal) return "To be charged";
  if (status === "SUCCEEDED") return "Approved. The merchant reported no charge";
  return retryable === null ? "Approved, charge not confirmed" : "Approved, not charged";
}
