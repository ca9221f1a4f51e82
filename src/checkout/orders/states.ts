/** The states of an order and every move between them (decisions, "Order states"). No other code writes `status`. */
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
/** A row is written pending or, where the person is asked first, with its approval required. */
export type OrderState = LiveState | TerminalState;
export type OrderKind = "purchase" | "explored";
/** The single next call of whoever placed it. */
export type RetryAction = "re_preview" | "poll" | "handoff" | "contact_support" | "none";

interface Move {
  readonly from: readonly LiveState[];
  readonly to: OrderState;
  readonly kinds: readonly OrderKind[];
  /** Whether the card was submitted when it may happen: what the click that pays stands between. */
  readonly card: "unsubmitted" | "submitted" | "either";
  /** Null: unknown, money may have moved. Moves to live states say nothing of it. */
  readonly retryable: boolean | null;
  readonly retryAction: RetryAction | null;
  /** Whether it says something of how well the shop's recipe works. */
  readonly isRecipes: boolean;
}

/** A row of the table. */
function move(
  from: Move["from"],
  to: Move["to"],
  kinds: Move["kinds"],
  card: Move["card"],
  retryable: Move["retryable"],
  retryAction: Move["retryAction"],
  isRecipes: Move["isRecipes"],
): Move {
  return { from, to, kinds, card, retryable, retryAction, isRecipes };
}

/** Every move by its cause, which is also the order's `error_code` where the move ends it badly. */
// biome-ignore format: a table is read by its columns.
export const MOVES = {
  //                               from                       to                     kinds                     card           retryable  retryAction        isRecipes
  approved:                   move(["approval_required"],     "dispatched",          ["purchase"],             "unsubmitted", null,      null,              false),
  // An approved order is dispatched before any worker has it.
  leased:                     move(["pending", "dispatched"], "dispatched",          ["purchase", "explored"], "unsubmitted", null,      null,              false),
  approval_expired:           move(["approval_required"],     "timeout",             ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  approval_denied:            move(["approval_required"],     "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "none",            false),
  never_taken:                move(["pending"],               "timeout",             ["purchase", "explored"], "unsubmitted", true,      "re_preview",      false),
  price_changed:              move(["dispatched"],            "price_changed",       ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  out_of_stock:               move(["dispatched"],            "out_of_stock",        ["purchase"],             "unsubmitted", false,     "re_preview",      false),
  shop_unavailable:           move(["dispatched"],            "merchant_error",      ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  form_rejected:              move(["dispatched"],            "merchant_error",      ["purchase"],             "unsubmitted", false,     "handoff",         false),
  guest_checkout_unavailable: move(["dispatched"],            "merchant_error",      ["purchase"],             "unsubmitted", false,     "handoff",         false),
  card_declined:              move(["dispatched"],            "merchant_error",      ["purchase"],             "either",      false,     "handoff",         false),
  captcha:                    move(["dispatched"],            "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "handoff",         false),
  login_required:             move(["dispatched"],            "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "handoff",         false),
  bot_wall:                   move(["dispatched"],            "payment_gate_hit",    ["purchase"],             "unsubmitted", false,     "handoff",         false),
  three_d_secure_failed:      move(["dispatched"],            "payment_gate_hit",    ["purchase"],             "either",      false,     "handoff",         false),
  three_d_secure_abandoned:   move(["dispatched"],            "payment_gate_hit",    ["purchase"],             "submitted",   null,      "contact_support", false),
  worker_crashed:             move(["dispatched"],            "worker_error",        ["purchase", "explored"], "unsubmitted", true,      "re_preview",      false),
  card_unavailable:           move(["dispatched"],            "worker_error",        ["purchase"],             "unsubmitted", true,      "re_preview",      false),
  missing_field:              move(["dispatched"],            "worker_error",        ["purchase", "explored"], "unsubmitted", true,      "re_preview",      true),
  recipe_broken:              move(["dispatched"],            "worker_error",        ["purchase"],             "unsubmitted", false,     "contact_support", true),
  time_spent:                 move(["dispatched"],            "timeout",             ["purchase", "explored"], "unsubmitted", true,      "re_preview",      true),
  outcome_unknown:            move(["dispatched"],            "payment_unconfirmed", ["purchase"],             "submitted",   null,      "contact_support", false),
  confirmed:                  move(["dispatched"],            "succeeded",           ["purchase"],             "submitted",   false,     "none",            true),
  overcharged:                move(["dispatched"],            "succeeded",           ["purchase"],             "submitted",   false,     "contact_support", true),
  // At once where the shop has an API: then no worker ever has it.
  explored:                   move(["pending", "dispatched"], "explored",            ["explored"],             "unsubmitted", false,     "re_preview",      false),
  exploration_failed:         move(["dispatched"],            "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
  exploration_walled:         move(["dispatched"],            "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
  not_a_shop:                 move(["dispatched"],            "merchant_error",      ["explored"],             "unsubmitted", true,      "re_preview",      false),
};

export type Cause = keyof typeof MOVES;

/** For people: what happened, whether anything was paid, what to do. Causes without one end nothing, or end it well. */
const MESSAGES: Readonly<Partial<Record<Cause, string>>> = {
  approval_expired: "Nobody approved it in time. Nothing was bought; quote it again.",
  approval_denied: "The purchase was denied. Nothing was bought.",
  never_taken: "No checkout worker was free in time. Nothing was bought; try again.",
  price_changed: "The shop's total is above what was approved. Nothing was bought; quote it again.",
  out_of_stock: "The shop has no more of it. Nothing was bought.",
  shop_unavailable: "The shop did not answer as it should. Nothing was bought; try again.",
  form_rejected: "The shop's checkout refused the details. Nothing was bought; finish it on the shop's own page.",
  guest_checkout_unavailable:
    "The shop sells to its own accounts only. Nothing was bought; finish it on the shop's own page.",
  card_declined: "The card was declined. Nothing was bought; finish it on the shop's own page, or use another card.",
  captcha: "The shop asks for proof of a person. Nothing was bought; finish it on the shop's own page.",
  login_required: "The shop asks to sign in. Nothing was bought; finish it on the shop's own page.",
  bot_wall: "The shop turns automated checkouts away. Nothing was bought; finish it on the shop's own page.",
  three_d_secure_failed:
    "The bank's check was failed or cancelled. Nothing was bought; finish it on the shop's own page.",
  three_d_secure_abandoned:
    "The bank's check was left open, so it is not known whether the card was charged. Do not order again.",
  worker_crashed: "The checkout broke off before the card was used. Nothing was bought; try again.",
  card_unavailable: "The card was removed or turned off before it was used. Nothing was bought; choose another card.",
  missing_field: "A field of the shop's checkout was not found. Nothing was bought; try again.",
  recipe_broken: "The shop's checkout could not be driven twice in a row. Nothing was bought.",
  time_spent: "The checkout took too long. Nothing was bought; try again.",
  outcome_unknown:
    "The card was submitted and the shop's answer was lost. It may have been charged: do not order again.",
  overcharged: "It was bought, and the shop charged more than was approved.",
  exploration_failed: "The shop could not be read. Nothing was bought; try again.",
  exploration_walled:
    "The shop lets nobody in who looks automated, or has no account there. Buy on the shop's own page.",
  not_a_shop: "Nothing that can be bought was found there. Try again with the address of a product's page.",
};

/** Its columns that the move itself writes are not the caller's. */
type Told = Omit<
  Prisma.CheckoutOrderUpdateManyMutationInput,
  "id" | "status" | "retryable" | "retryAction" | "errorCode" | "errorMessage" | "completedAt" | "updatedAt"
>;

/**
 * Moves an order, in one statement that only finds it where the move may begin; null when it stands elsewhere by now, and
 * then nothing was written. Whoever calls announces it (`publishOrder`) once that is committed.
 * @param db the database's client, or a transaction's
 * @param options.lease the worker's lease: what an older one says finds nothing
 * @param options.told what is written beside it
 * @param options.where what must hold besides
 */
export async function moveOrder(
  db: Pick<Prisma.TransactionClient, "checkoutOrder">,
  orderId: string,
  cause: Cause,
  options: { readonly lease?: string; readonly told?: Told; readonly where?: Prisma.CheckoutOrderWhereInput } = {},
): Promise<CheckoutOrder | null> {
  const { lease, told = {}, where = {} } = options;
  const { from, to, kinds, card } = MOVES[cause];
  const now = new Date();
  const [moved] = await db.checkoutOrder.updateManyAndReturn({
    where: {
      AND: where,
      id: orderId,
      status: { in: [...from] },
      kind: { in: [...kinds] },
      ...(card === "either" ? {} : { submittedAt: card === "submitted" ? { not: null } : null }),
      ...(lease === undefined ? {} : { workerJobId: lease }),
    },
    data: {
      ...told,
      status: to,
      updatedAt: now,
      ...(isTerminal(to)
        ? { ...endOf(cause), leasedUntil: null, personNeededFor: null, personNeededUntil: null, completedAt: now }
        : {}),
    },
  });
  return moved ?? null;
}

export function isTerminal(state: string): state is TerminalState {
  return (TERMINAL_STATES as readonly string[]).includes(state);
}

function endOf(cause: Cause) {
  const { retryable, retryAction } = MOVES[cause];
  const errorMessage = MESSAGES[cause] ?? null;
  return { retryable, retryAction, errorCode: errorMessage === null ? null : cause, errorMessage };
}
