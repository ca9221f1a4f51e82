/** The words for how far an order is, and for what comes next. */
import type { OrderKind, OrderState, RetryAction } from "../../src/checkout/orders/states.ts";
import { builder } from "../builder.ts";

export const OrderKindEnum = builder.enumType("CheckoutOrderKind", {
  description: "What an order is.",
  values: {
    purchase: { description: "Something is bought." },
    explored: { description: "A shop is looked at for the first time; no card is involved." },
  } satisfies Record<OrderKind, object>,
});

export const OrderStatusEnum = builder.enumType("CheckoutOrderStatus", {
  description: "How far an order is. Ended orders never change.",
  values: {
    pending: { description: "Accepted; no worker has it yet." },
    approval_required: { description: "Waits for the person's passkey." },
    dispatched: { description: "Being placed, or approved and about to be." },
    succeeded: { description: "The shop confirmed it." },
    merchant_error: { description: "The shop failed, or refused it." },
    worker_error: { description: "The checkout could not be driven; the card was not submitted." },
    price_changed: { description: "The shop's total was above what was approved; nothing was bought." },
    out_of_stock: { description: "The shop had no more; nothing was bought." },
    payment_unconfirmed: { description: "The card was submitted and the answer was lost: it may have been charged." },
    payment_gate_hit: { description: "A captcha, a sign-in, the bank's check or its person stood in the way." },
    timeout: { description: "It took too long; the card was not submitted." },
    explored: { description: "The shop can be bought from now." },
  } satisfies Record<OrderState, object>,
});

export const RetryActionEnum = builder.enumType("RetryAction", {
  description: "The single next call; branch on it rather than on the error's code.",
  values: {
    re_preview: { description: "Quote again, and dispatch what is approved anew." },
    poll: { description: "Ask again later: it has not ended." },
    handoff: { description: "Let the person finish it on the shop's own page." },
    contact_support: { description: "Stop, and have a person look at it." },
    none: { description: "Nothing." },
  } satisfies Record<RetryAction, object>,
});
