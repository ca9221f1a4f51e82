import { Badge } from "../../components/badge.tsx";
import { ClockTime } from "../../components/time.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";
import { statusOf } from "./order-words.ts";

/** How far an order is; of one that was approved also who is to place it, and until when. */
export function OrderStatus({ order, size }: { readonly order: OrderRowFragment; readonly size: "small" | "body" }) {
  const { status, approval } = order;
  const { tone, text } = statusOf(order);
  return (
    <Badge tone={tone}>
      <span className={`whitespace-normal ${size === "body" ? "text-body" : ""}`}>
        {text}
        {status === "approval_required" && approval?.status === "APPROVED" && (
          <>
            . Waiting for <bdi className="wrap-anywhere">{approval.askedBy ?? "whoever asked"}</bdi> to place it, until{" "}
            <ClockTime at={approval.expiresAt} />
          </>
        )}
      </span>
    </Badge>
  );
}
