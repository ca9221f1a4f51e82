/** Enums for the kind, status and next step of an order. */
import type { OrderKind, OrderState, RetryAction } from "../../src/checkout/orders/states.ts";
import { builder } from "../builder.ts";

export const OrderKindEnum = builder.enumType("CheckoutOrderKind", {
  description: "The kind of an order.",
  values: {
    purchase: { description: "The purchase of goods." },
    explored: { description: "The exploration of a merchant; no card is involved." },
  } satisfies Record<OrderKind, object>,
});

export const OrderStatusEnum = builder.enumType("CheckoutOrderStatus", {
  description: "The status of an order. Ended orders never change.",
  values: {
    pending: { description: "Accepted, but not yet leased to a worker." },
    approval_required: { description: "Waiting for the account owner's approval by passkey." },
    dispatched: { description: "In progress, or approved and waiting for a worker." },
    succeeded: { description: "The merchant confirmed the order." },
    merchant_error: { description: "The merchant's site failed or rejected the order." },
    worker_error: { description: "The checkout could not be completed. The card was not submitted." },
    price_changed: { description: "The merchant's total exceeded the approved amount. Nothing was bought." },
    out_of_stock: { description: "The merchant was out of stock. Nothing was bought." },
    payment_unconfirmed: {
      description: "The card was submitted, but the merchant's response was lost. The charge is unconfirmed.",
    },
    payment_gate_hit: { description: "A captcha, a sign-in, 3-D Secure, or a denied approval prevented the purchase." },
    timeout: { description: "A time limit passed. The card was not submitted." },
    explored: { description: "The exploration of the merchant succeeded. The merchant accepts orders." },
  } satisfies Record<OrderState, object>,
});

export const RetryActionEnum = builder.enumType("RetryAction", {
  description: "The only next call that the client should make. Branch on it rather than on the error code.",
  values: {
    re_preview: { description: "Request a new quote, have it approved, and dispatch it." },
    poll: { description: "Poll again later; the order has not ended." },
    handoff: { description: "Let the user complete the purchase on the merchant's site." },
    contact_support: { description: "Stop and contact support." },
    none: { description: "No further call." },
  } satisfies Record<RetryAction, object>,
});
