/** The states of an order and all transitions between them (decisions, "Order states"). No other code updates `status`. */
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";

export const LIVE_STATES = ["pending", "approval_required", "dispatched"] as const;
export const TERMINAL_STATES = [
  "succeeded",
  "merchant_error",
  "worker_error",
  "price_changed",
  "out_of_stock",
  "payment_unconfirmed",
  "payment_gate_hit",
  "timeout",
  "explored",
] as const;

type LiveState = (typeof LIVE_STATES)[number];
type TerminalState = (typeof TERMINAL_STATES)[number];
/** New orders are `pending`, or `approval_required` if the account owner must decide first. */
export type OrderState = LiveState | TerminalState;
export type OrderKind = "purchase" | "explored";
/** The next step for the client. */
export type RetryAction = "re_preview" | "poll" | "handoff" | "contact_support" | "none";

interface Transition {
  readonly from: readonly LiveState[];
  readonly to: OrderState;
  readonly kinds: readonly OrderKind[];
  /** Required state of the card. */
  readonly card: "unsubmitted" | "submitted" | "either";
  /** Whether a retry is safe. Null if the card may have been charged, and for transitions to live states. */
  readonly retryable: boolean | null;
  readonly retryAction: RetryAction | null;
  /** Whether the outcome counts towards the recipe's reliability. */
  readonly isRecipeRelated: boolean;
}

function transition(
  from: Transition["from"],
  to: Transition["to"],
  kinds: Transition["kinds"],
  card: Transition["card"],
  retryable: Transition["retryable"],
  retryAction: Transition["retryAction"],
  isRecipes: Transition["isRecipeRelated"],
): Transition {
  return { from, to, kinds, card, retryable, retryAction, isRecipeRelated: isRecipes };
}

/** All transitions by cause. The cause of a failure is also the order's `error_code`. */
// biome-ignore format: aligned columns make the table readable.
export const TRANSITIONS = {
  //                                     from                       to                     kinds                     card           retryable  retryAction        isRecipes
  approved:                   transition(["approval_required"],     "dispatched",          ["purchase"],             "unsubmitted", null,      null,              false),
  // An approved order is `dispatched` before a worker leases it.
  leased:                     transition(["pending", "dispatched"], "dispatched",          ["purchase", "explored"], "unsubmitted", null,      null,              false),
  approval_expired:           transition(["approval_required"],     "timeout",             ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  approval_denied:            transition(["approval_required"],     "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "none",            false),
  never_taken:                transition(["pending"],               "timeout",             ["purchase", "explored"], "unsubmitted", true,      "re_preview",      false),
  price_changed:              transition(["dispatched"],            "price_changed",       ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  out_of_stock:               transition(["dispatched"],            "out_of_stock",        ["purchase"],             "unsubmitted", false,     "re_preview",      false),
  shop_unavailable:           transition(["dispatched"],            "merchant_error",      ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  form_rejected:              transition(["dispatched"],            "merchant_error",      ["purchase"],             "unsubmitted", false,     "handoff",         false),
  guest_checkout_unavailable: transition(["dispatched"],            "merchant_error",      ["purchase"],             "unsubmitted", false,     "handoff",         false),
  card_declined:              transition(["dispatched"],            "merchant_error",      ["purchase"],             "either",      false,     "handoff",         false),
  captcha:                    transition(["dispatched"],            "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "handoff",         false),
  login_required:             transition(["dispatched"],            "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "handoff",         false),
  bot_wall:                   transition(["dispatched"],            "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "handoff",         false),
  three_d_secure_failed:      transition(["dispatched"],            "payment_gate_hit",    ["purchase"],             "either",      false,     "handoff",         false),
  three_d_secure_abandoned:   transition(["dispatched"],            "payment_gate_hit",    ["purchase"],             "submitted",   null,      "contact_support", false),
  worker_crashed:             transition(["dispatched"],            "worker_error",        ["purchase", "explored"], "unsubmitted", true,      "re_preview",      false),
  card_unavailable:           transition(["dispatched"],            "worker_error",        ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  account_frozen:             transition(["dispatched"],            "worker_error",        ["purchase", "explored"], "unsubmitted", true,      "re_preview",      false),
  missing_field:              transition(["dispatched"],            "worker_error",        ["purchase", "explored"], "unsubmitted", true,      "re_preview",      true),
  payment_not_sent:           transition(["dispatched"],            "worker_error",        ["purchase"],             "unsubmitted", true,      "re_preview",      true),
  recipe_broken:              transition(["dispatched"],            "worker_error",        ["purchase"],             "unsubmitted", false,     "contact_support", true),
  time_spent:                 transition(["dispatched"],            "timeout",             ["purchase", "explored"], "unsubmitted", true,      "re_preview",      true),
  outcome_unknown:            transition(["dispatched"],            "payment_unconfirmed", ["purchase"],             "submitted",   null,      "contact_support", true),
  confirmed:                  transition(["dispatched"],            "succeeded",           ["purchase"],             "submitted",   false,     "none",            true),
  overcharged:                transition(["dispatched"],            "succeeded",           ["purchase"],             "submitted",   false,     "contact_support", true),
  // The source state is `pending` if the merchant has an API, because no worker is required.
  explored:                   transition(["pending", "dispatched"], "explored",            ["explored"],             "unsubmitted", false,     "re_preview",      false),
  // The policy that let a merchant see name, address and email ended during a dry run.
  policy_ended:               transition(["dispatched"],            "worker_error",        ["explored"],             "unsubmitted", true,      "re_preview",      false),
  exploration_failed:         transition(["dispatched"],            "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
  exploration_walled:         transition(["dispatched"],            "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
  not_a_shop:                 transition(["dispatched"],            "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
  name_not_allowed:                 transition(["pending", "dispatched"], "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
};

export type Cause = keyof typeof TRANSITIONS;

/** User-facing messages of failures and overcharges: what happened, whether the card was charged, and the next step. */
export const FAILURE_MESSAGES = {
  approval_expired: "The approval expired. Nothing was bought. Request a new quote.",
  approval_denied: "The account owner denied the purchase. Nothing was bought. To buy the product, place a new order.",
  never_taken: "No checkout worker was available in time. Nothing was bought. Retry.",
  price_changed: "The merchant's total exceeds the approved amount. Nothing was bought. Request a new quote.",
  out_of_stock: "The product is out of stock. Nothing was bought. Request a new quote when it is available.",
  shop_unavailable: "The merchant's site was unavailable. Nothing was bought. Retry.",
  form_rejected:
    "The merchant's checkout rejected the details. Nothing was bought. Complete the purchase on the merchant's site.",
  guest_checkout_unavailable:
    "The merchant requires an account. Nothing was bought. Complete the purchase on the merchant's site.",
  card_declined:
    "The card was declined. Nothing was bought. Complete the purchase on the merchant's site, or use another card.",
  captcha: "The merchant requires a captcha. Nothing was bought. Complete the purchase on the merchant's site.",
  login_required: "The merchant requires a sign-in. Nothing was bought. Complete the purchase on the merchant's site.",
  bot_wall:
    "The merchant blocks automated checkouts. Nothing was bought. Complete the purchase on the merchant's site.",
  three_d_secure_failed:
    "3-D Secure authentication failed or was cancelled. Nothing was bought. Complete the purchase on the merchant's site.",
  three_d_secure_abandoned:
    "3-D Secure authentication was not completed. The charge is unconfirmed. Contact support and do not order again.",
  worker_crashed: "The checkout was interrupted before the card was used. Nothing was bought. Retry.",
  card_unavailable: "The card was removed or disabled before it was used. Nothing was bought. Choose another card.",
  account_frozen:
    "The account or the service was frozen before the card was used. Nothing was bought. Retry after the freeze ends.",
  policy_ended: "The standing policy ended during the dry run. Nothing was bought. Retry under a new policy.",
  missing_field: "A field of the merchant's checkout was not found. Nothing was bought. Retry.",
  payment_not_sent: "The merchant's page sent no payment. Nothing was bought. Retry.",
  recipe_broken: "The merchant's checkout failed twice in a row. Nothing was bought. Contact support.",
  time_spent: "The checkout timed out. Nothing was bought. Retry.",
  outcome_unknown:
    "The merchant's response to the payment was lost. The charge is unconfirmed. Contact support and do not order again.",
  overcharged: "The purchase succeeded, but the merchant charged more than the approved amount. Contact support.",
  exploration_failed: "The merchant's site could not be read. Nothing was bought. Retry.",
  exploration_walled:
    "The merchant blocks automated browsers or requires an account. Nothing was bought. Buy on the merchant's site.",
  name_not_allowed:
    "The site uses the name of a merchant in the approved pool. Nothing was bought. Buy from the pooled merchant, or explore another site.",
  not_a_shop: "The page offers no products for sale. Nothing was bought. Retry with the URL of a product page.",
} as const satisfies Partial<Record<Cause, string>>;
/** The cause of a failure or overcharge, stored as the order's `error_code`. */
export type FailureCause = keyof typeof FAILURE_MESSAGES;

/** Columns that the caller may write; the transition writes the others. */
type WritableColumns = Omit<
  Prisma.CheckoutOrderUncheckedUpdateManyInput,
  "id" | "status" | "retryable" | "retryAction" | "errorCode" | "errorMessage" | "completedAt" | "updatedAt"
>;

/**
 * Transitions an order in one statement that matches only permitted source states. Returns null and writes nothing if the
 * order is in another state. The caller publishes the change (`publishOrder`) after the commit.
 * @param db the database client, or that of a transaction
 * @param options.lease the worker's lease; the order must still belong to it
 * @param options.columns other columns to write
 * @param options.where additional conditions
 */
export async function transitionOrder(
  db: Pick<Prisma.TransactionClient, "checkoutOrder">,
  orderId: string,
  cause: Cause,
  options: {
    readonly lease?: string;
    readonly columns?: WritableColumns;
    readonly where?: Prisma.CheckoutOrderWhereInput;
  } = {},
): Promise<CheckoutOrder | null> {
  const { lease, columns: otherColumns = {}, where = {} } = options;
  const { from, to, kinds, card } = TRANSITIONS[cause];
  const now = new Date();
  const [changed] = await db.checkoutOrder.updateManyAndReturn({
    where: {
      AND: where,
      id: orderId,
      status: { in: [...from] },
      kind: { in: [...kinds] },
      ...(card === "either" ? {} : { submittedAt: card === "submitted" ? { not: null } : null }),
      ...(lease === undefined ? {} : { workerJobId: lease }),
    },
    data: {
      ...otherColumns,
      status: to,
      updatedAt: now,
      ...(isTerminal(to)
        ? {
            ...outcomeColumns(cause),
            leasedUntil: null,
            personNeededFor: null,
            personNeededUntil: null,
            completedAt: now,
          }
        : {}),
    },
  });
  return changed ?? null;
}

export function isTerminal(state: string): state is TerminalState {
  return (TERMINAL_STATES as readonly string[]).includes(state);
}

function outcomeColumns(cause: Cause) {
  const { retryable, retryAction } = TRANSITIONS[cause];
  const messages: Readonly<Partial<Record<Cause, string>>> = FAILURE_MESSAGES;
  const errorMessage = messages[cause] ?? null;
  return { retryable, retryAction, errorCode: errorMessage === null ? null : cause, errorMessage };
}
