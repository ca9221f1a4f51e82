/** Enums for the kind, status, failure and next step of an order. */
import {
  FAILURE_MESSAGES,
  type FailureCause,
  type OrderKind,
  type OrderState,
  type RetryAction,
} from "../../src/checkout/orders/states.ts";
import { wireEnum } from "../wire-enum.ts";

export const OrderKindEnum = wireEnum<OrderKind>("CheckoutOrderKind", "The kind of an order.", {
  purchase: "The purchase of goods.",
  explored: "The exploration of a merchant; no card is involved.",
});

export const OrderStatusEnum = wireEnum<OrderState>(
  "CheckoutOrderStatus",
  "The status of an order. Ended orders never change.",
  {
    pending: "Accepted, but not yet leased to a worker.",
    approval_required: "Waiting for the account owner's approval by passkey.",
    dispatched: "In progress, or approved and waiting for a worker.",
    succeeded: "The merchant confirmed the order.",
    merchant_error: "The merchant's site failed or rejected the order.",
    worker_error: "The checkout could not be completed. The card was not submitted.",
    price_changed: "The merchant's total exceeded the approved amount. Nothing was bought.",
    out_of_stock: "The merchant was out of stock. Nothing was bought.",
    payment_unconfirmed: "The card was submitted, but the merchant's response was lost. The charge is unconfirmed.",
    payment_gate_hit: "A captcha, a sign-in, 3-D Secure, or a denied approval prevented the purchase.",
    timeout: "A time limit passed. The card was not submitted.",
    explored: "The exploration of the merchant succeeded. The merchant accepts orders.",
  },
);

export const OrderErrorCodeEnum = wireEnum<FailureCause>(
  "CheckoutOrderErrorCode",
  "The cause of a failed order, or of an overcharge. A declined card is `CARD_DECLINED`.",
  FAILURE_MESSAGES,
);

export const RetryActionEnum = wireEnum<RetryAction>(
  "RetryAction",
  "The only next call that the client should make. Branch on it rather than on the error code.",
  {
    re_preview: "Request a new quote, have it approved, and dispatch it.",
    poll: "Poll again later; the order has not ended.",
    handoff: "Let the user complete the purchase on the merchant's site.",
    contact_support: "Stop and contact support.",
    none: "No further call.",
  },
);
