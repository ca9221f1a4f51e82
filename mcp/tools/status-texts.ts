/** What each status means for the client. The maps are exhaustive, so that a new status cannot be stated as another. */
import type {
  ApprovalStatus,
  CheckoutOrderStatus,
  OrderQuestionStatus,
  TradeStatus,
  TransactionStatus,
} from "../generated/graphql.ts";

export interface StatusText {
  readonly isFinal: boolean;
  /** The outcome and the next step. */
  readonly text: string;
}

const AGAIN: StatusText = { isFinal: false, text: "Call get_request_status again." };
const ended = (text: string): StatusText => ({ isFinal: true, text });

export const APPROVALS: Readonly<Record<ApprovalStatus, StatusText>> = {
  pending: { isFinal: false, text: "Give the owner the url, then call get_request_status again." },
  approved: ended("The owner approved. Repeat the call that required this approval, with the same arguments."),
  denied: ended("The owner denied it, and nothing was bought. Repeat the call only if the owner requests it."),
  expired: ended("The approval expired, and nothing was bought. Quote the cart again to request another approval."),
  consumed: ended("The order was placed; call get_order with the order_id."),
};

export const QUESTIONS: Readonly<Record<OrderQuestionStatus, StatusText>> = {
  open: APPROVALS.pending,
  answered: ended("The owner responded, and the order continued. Call get_request_status with the order_id."),
  expired: ended("No response arrived in time. Call get_order with the order_id."),
  withdrawn: ended("The order ended before a response arrived. Call get_order with the order_id."),
};

export const ORDERS: Readonly<Record<CheckoutOrderStatus, StatusText>> = {
  pending: AGAIN,
  approval_required: AGAIN,
  dispatched: AGAIN,
  succeeded: ended("The merchant confirmed the order; get_order has its order number."),
  merchant_error: ended("The merchant's site failed or rejected the order; get_order has the cause."),
  worker_error: ended("The checkout failed before the card was submitted. Nothing was bought."),
  price_changed: ended("The total exceeded the approved amount. Nothing was bought. Quote the cart again."),
  out_of_stock: ended("The merchant was out of stock. Nothing was bought."),
  payment_unconfirmed: ended(
    "The card was submitted and the response was lost, so the charge is unconfirmed. Do not order again before the owner has checked.",
  ),
  payment_gate_hit: ended("A captcha, a sign-in, 3-D Secure, or a denied approval prevented the purchase."),
  timeout: ended("A time limit passed before the card was submitted. Nothing was bought."),
  explored: ended("The merchant was read, and quote_cart accepts its products. Nothing was bought."),
};

export const TRADES: Readonly<Record<TradeStatus, StatusText>> = {
  pending: AGAIN,
  approving: AGAIN,
  submitted: AGAIN,
  settled: ended("The swap succeeded."),
  failed: ended("The swap failed."),
};

export const TRANSACTIONS: Readonly<Record<TransactionStatus, StatusText>> = {
  reserved: AGAIN,
  signed: AGAIN,
  settled: ended("It settled on the network; get_transaction has the amount."),
  released: ended("It was not executed and no longer can be. Nothing was paid."),
  failed: ended("The network rejected it. Nothing was paid; get_transaction has the reason."),
};
