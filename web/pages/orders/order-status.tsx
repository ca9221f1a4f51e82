import { Badge } from "../../components/badge.tsx";
import { ClockTime } from "../../components/time.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";
import { describeStatus } from "./order-labels.ts";

/** Status badge of an order. Approved orders also show the requester and the deadline. */
export function OrderStatus({ order, size }: { readonly order: OrderRowFragment; readonly size: "small" | "body" }) {
  const { status, approval } = order;
  const { tone, text } = describeStatus(order);
  return (
    <Badge tone={tone}>
      <span className={`whitespace-normal ${size === "body" ? "text-body" : ""}`}>
        {text}
        {status === "APPROVAL_REQUIRED" && approval?.status === "APPROVED" && (
          <>
            . Waiting for <bdi className="wrap-anywhere">{approval.askedBy ?? "the requester"}</bdi> to place it until{" "}
            <ClockTime at={approval.expiresAt} />
          </>
        )}
      </span>
    </Badge>
  );
}
