/** How a worker ends an order. It says what happened; whether money may have moved is told from the row. */
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { saveExploration } from "../explore/save-exploration.ts";
import type { Exploration } from "../worker-protocol/exploration.ts";
import { type OrderDeps, PATIENTLY } from "./deps.ts";
import { endOrder } from "./end-order.ts";
import { LeaseLostError } from "./leases.ts";
import { publishOrder } from "./order-events.ts";
import { type Cause, MOVES } from "./states.ts";

/** What a worker can tell; the others follow from the row, or are not its to tell. */
export const WORKER_CAUSES = [
  "price_changed",
  "out_of_stock",
  "shop_unavailable",
  "form_rejected",
  "guest_checkout_unavailable",
  "card_declined",
  "captcha",
  "login_required",
  "bot_wall",
  "three_d_secure_failed",
  "three_d_secure_abandoned",
  "worker_crashed",
  "missing_field",
  "time_spent",
  "outcome_unknown",
  "confirmed",
  "explored",
  "exploration_failed",
  "exploration_walled",
  "not_a_shop",
] as const satisfies readonly Cause[];

export interface Finish {
  readonly cause: (typeof WORKER_CAUSES)[number];
  /** What the shop's page said; with `confirmed` all three. */
  readonly confirmation: {
    readonly orderNumber: string;
    readonly amountChargedMinor: number;
    readonly currency: string;
    readonly url: string | null;
  } | null;
  readonly merchantResponse: { readonly httpStatus: number | null; readonly textExcerpt: string | null } | null;
  readonly browserVersion: string | null;
  /** With `explored`. */
  readonly exploration: Exploration | null;
}

/** @throws {LeaseLostError} when the order has ended, or was never this lease's */
export async function finishOrder(deps: OrderDeps, lease: string, finish: Finish): Promise<CheckoutOrder> {
  const { db, pubsub } = deps;
  const ended = await db.prisma.$transaction(async (tx) => {
    // Locked: the card cannot be submitted between the look and the move.
    await tx.$queryRaw`SELECT id FROM checkout_orders WHERE worker_job_id = ${lease} FOR UPDATE`;
    const order = await tx.checkoutOrder.findUnique({ where: { workerJobId: lease } });
    if (order?.status !== "dispatched") return null;
    const cause = causeOf(order, finish, await isBrokenAgain(tx, order, finish.cause));
    const found = cause === "explored" && finish.exploration ? await keep(tx, finish.exploration) : {};
    return await endOrder(tx, order.id, cause, { lease, told: { ...toldBy(finish), ...found } });
  }, PATIENTLY);
  if (!ended) throw new LeaseLostError();
  publishOrder(pubsub, ended);
  return ended;
}

/** Once the card was submitted, only the shop's or the bank's own word says more than that the outcome is unknown. */
function causeOf(order: CheckoutOrder, { cause, confirmation, exploration }: Finish, isBroken: boolean): Cause {
  const isSubmitted = order.submittedAt !== null;
  const { kinds, card }: { kinds: readonly string[]; card: string } = MOVES[cause];
  if (!kinds.includes(order.kind)) return order.kind === "explored" ? "exploration_failed" : lostCause(isSubmitted);
  if (card !== "either" && (card === "submitted") !== isSubmitted) return lostCause(isSubmitted);
  if (cause === "confirmed") {
    if (confirmation === null) return "outcome_unknown";
    // In another currency it cannot be said to be within the approval.
    const isWithin =
      confirmation.currency === order.currency && BigInt(confirmation.amountChargedMinor) <= (order.amountMinor ?? 0n);
    return isWithin ? "confirmed" : "overcharged";
  }
  if (cause === "explored" && exploration === null) return "exploration_failed";
  return isBroken ? "recipe_broken" : cause;
}

const lostCause = (isSubmitted: boolean): Cause => (isSubmitted ? "outcome_unknown" : "worker_crashed");

/** Whether the run at that shop before this one failed by the same recipe as well. */
async function isBrokenAgain(
  tx: Pick<OrderDeps["db"]["prisma"], "checkoutOrder">,
  { kind, merchantId, recipeId, recipeVersion }: CheckoutOrder,
  cause: Finish["cause"],
): Promise<boolean> {
  if (cause !== "missing_field" || kind !== "purchase" || merchantId === null) return false;
  const before = await tx.checkoutOrder.findFirst({
    where: { merchantId, kind, recipeId, recipeVersion, startedAt: { not: null }, completedAt: { not: null } },
    orderBy: { completedAt: "desc" },
    select: { errorCode: true },
  });
  return before?.errorCode === "missing_field" || before?.errorCode === "recipe_broken";
}

/** What an exploration found is kept with its end, or not at all. */
async function keep(tx: Prisma.TransactionClient, exploration: Exploration) {
  const { id, isTest } = await saveExploration(tx, { ...exploration, rail: "worker" });
  return { merchantId: id, isTest, currency: exploration.currency };
}

function toldBy({ confirmation, merchantResponse, browserVersion }: Finish) {
  const response = {
    http_status: merchantResponse?.httpStatus ?? null,
    order_number: confirmation?.orderNumber ?? null,
    confirmation_url: confirmation?.url ?? null,
    amount_charged_minor: confirmation?.amountChargedMinor ?? null,
    currency: confirmation?.currency ?? null,
    text_excerpt: merchantResponse?.textExcerpt ?? null,
  };
  return {
    browserVersion,
    ...(merchantResponse || confirmation ? { merchantResponse: response } : {}),
    ...(confirmation
      ? {
          amountChargedMinor: BigInt(confirmation.amountChargedMinor),
          merchantOrderNumber: confirmation.orderNumber,
          confirmationUrl: confirmation.url,
          confirmedAt: new Date(),
        }
      : {}),
  };
}
