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
  /** For people: what happened, whether anything was paid, what to do. Null where nothing is wrong. */
  readonly message: string | null;
  /** Whether it says something of how well the shop's recipe works. */
  readonly isRecipes: boolean;
}

const PURCHASE = ["purchase"] as const;
const EXPLORED = ["explored"] as const;
const ANY = ["purchase", "explored"] as const;
const LIVE = { retryable: null, retryAction: null, message: null, isRecipes: false } as const;
const RUNNING = { from: ["dispatched"], kinds: PURCHASE, card: "unsubmitted", isRecipes: false } as const;
const WAITING = { from: ["approval_required"], kinds: PURCHASE, card: "unsubmitted", isRecipes: false } as const;
const EXPLORING = { from: ["dispatched"], kinds: EXPLORED, card: "unsubmitted", isRecipes: false } as const;
const AGAIN = { retryable: true, retryAction: "re_preview" } as const;
const UNKNOWN = { retryable: null, retryAction: "contact_support" } as const;
const BY_HAND = { ...RUNNING, retryable: false, retryAction: "handoff" } as const;
const WALLED = { ...BY_HAND, to: "payment_gate_hit" } as const;
const REFUSED = { ...BY_HAND, to: "merchant_error" } as const;
const BROKEN_OFF = { ...AGAIN, from: ["dispatched"], kinds: ANY, card: "unsubmitted" } as const;
const BOUGHT = { ...RUNNING, card: "submitted", to: "succeeded", retryable: false, isRecipes: true } as const;

/** Every move by its cause, which is also the order's `error_code` where the move ends it badly. */
export const MOVES = {
  approved: { ...WAITING, ...LIVE, to: "dispatched" },
  // An approved order is dispatched before any worker has it.
  leased: { ...LIVE, from: ["pending", "dispatched"], to: "dispatched", kinds: ANY, card: "unsubmitted" },
  approval_expired: {
    ...WAITING,
    ...AGAIN,
    to: "timeout",
    message: "Nobody approved it in time. Nothing was bought; quote it again.",
  },
  approval_denied: {
    ...WAITING,
    to: "payment_gate_hit",
    retryable: false,
    retryAction: "none",
    message: "The purchase was denied. Nothing was bought.",
  },
  never_taken: {
    ...AGAIN,
    from: ["pending"],
    to: "timeout",
    kinds: ANY,
    card: "unsubmitted",
    isRecipes: false,
    message: "No checkout worker was free in time. Nothing was bought; try again.",
  },
  price_changed: {
    ...RUNNING,
    ...AGAIN,
    to: "price_changed",
    message: "The shop's total is above what was approved. Nothing was bought; quote it again.",
  },
  out_of_stock: {
    ...RUNNING,
    to: "out_of_stock",
    retryable: false,
    retryAction: "re_preview",
    message: "The shop has no more of it. Nothing was bought.",
  },
  shop_unavailable: {
    ...RUNNING,
    ...AGAIN,
    to: "merchant_error",
    message: "The shop did not answer as it should. Nothing was bought; try again.",
  },
  form_rejected: {
    ...REFUSED,
    message: "The shop's checkout refused the details. Nothing was bought; finish it on the shop's own page.",
  },
  guest_checkout_unavailable: {
    ...REFUSED,
    message: "The shop sells to its own accounts only. Nothing was bought; finish it on the shop's own page.",
  },
  card_declined: {
    ...REFUSED,
    card: "either",
    message: "The card was declined. Nothing was bought; finish it on the shop's own page, or use another card.",
  },
  captcha: {
    ...WALLED,
    message: "The shop asks for proof of a person. Nothing was bought; finish it on the shop's own page.",
  },
  login_required: {
    ...WALLED,
    message: "The shop asks to sign in. Nothing was bought; finish it on the shop's own page.",
  },
  bot_wall: {
    ...WALLED,
    message: "The shop turns automated checkouts away. Nothing was bought; finish it on the shop's own page.",
  },
  three_d_secure_failed: {
    ...WALLED,
    card: "either",
    message: "The bank's check was failed or cancelled. Nothing was bought; finish it on the shop's own page.",
  },
  three_d_secure_abandoned: {
    ...RUNNING,
    ...UNKNOWN,
    card: "submitted",
    to: "payment_gate_hit",
    message: "The bank's check was left open, so it is not known whether the card was charged. Do not order again.",
  },
  worker_crashed: {
    ...BROKEN_OFF,
    to: "worker_error",
    isRecipes: false,
    message: "The checkout broke off before the card was used. Nothing was bought; try again.",
  },
  card_unavailable: {
    ...RUNNING,
    ...AGAIN,
    to: "worker_error",
    message: "The card was removed or turned off before it was used. Nothing was bought; choose another card.",
  },
  missing_field: {
    ...BROKEN_OFF,
    to: "worker_error",
    isRecipes: true,
    message: "A field of the shop's checkout was not found. Nothing was bought; try again.",
  },
  recipe_broken: {
    ...RUNNING,
    to: "worker_error",
    retryable: false,
    retryAction: "contact_support",
    isRecipes: true,
    message: "The shop's checkout could not be driven twice in a row. Nothing was bought.",
  },
  time_spent: {
    ...BROKEN_OFF,
    to: "timeout",
    isRecipes: true,
    message: "The checkout took too long. Nothing was bought; try again.",
  },
  outcome_unknown: {
    ...RUNNING,
    ...UNKNOWN,
    card: "submitted",
    to: "payment_unconfirmed",
    message: "The card was submitted and the shop's answer was lost. It may have been charged: do not order again.",
  },
  confirmed: {
    ...BOUGHT,
    retryAction: "none",
    message: null,
  },
  overcharged: {
    ...BOUGHT,
    retryAction: "contact_support",
    message: "It was bought, and the shop charged more than was approved.",
  },
  // At once where the shop has an API: then no worker ever has it.
  explored: {
    ...EXPLORING,
    from: ["pending", "dispatched"],
    to: "explored",
    retryable: false,
    retryAction: "re_preview",
    message: null,
  },
  exploration_failed: {
    ...EXPLORING,
    ...AGAIN,
    to: "merchant_error",
    message: "The shop could not be read. Nothing was bought; try again.",
  },
  exploration_walled: {
    ...EXPLORING,
    ...AGAIN,
    to: "merchant_error",
    message: "The shop lets nobody in who looks automated, or has no account there. Buy on the shop's own page.",
  },
  not_a_shop: {
    ...EXPLORING,
    ...AGAIN,
    to: "merchant_error",
    message: "Nothing that can be bought was found there. Try again with the address of a product's page.",
  },
} as const satisfies Readonly<Record<string, Move>>;

export type Cause = keyof typeof MOVES;

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
  const move: Move = MOVES[cause];
  const { from, to, kinds, card } = move;
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
  const { retryable, retryAction, message }: Move = MOVES[cause];
  return { retryable, retryAction, errorCode: message === null ? null : cause, errorMessage: message };
}
