import { Price } from "../../components/price.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";
import { findOutcome } from "./outcomes.ts";

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
export function amountNote(order: OrderRowFragment): string | null {
  if (order.isTerminal) return findOutcome(order).amountNote;
  if (order.status !== "APPROVAL_REQUIRED") return "To be charged";
  return order.approval?.status === "APPROVED" ? "Approved, not placed yet" : "Requested, not approved";
}
