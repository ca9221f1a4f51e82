/** Ending of an order by its worker. The worker reports what happened; the row decides whether money may have moved. */
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { saveExploration } from "../explore/save-exploration.ts";
import type { DryRun } from "../worker-protocol/dry-run.ts";
import type { Exploration } from "../worker-protocol/exploration.ts";
import { LONG_TRANSACTION, type OrderDeps } from "./deps.ts";
import { endOrder } from "./end-order.ts";
import { learnTaxPolicy } from "./learn-tax-policy.ts";
import { LeaseLostError } from "./leases.ts";
import { publishOrder } from "./order-events.ts";
import { readExploration } from "./request.ts";
import { type Cause, TRANSITIONS } from "./states.ts";

/** Causes that a worker may report. The service derives all others. */
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
  "payment_not_sent",
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
  /** Contents of the merchant's confirmation page; required with `confirmed`. */
  readonly confirmation: {
    readonly orderNumber: string;
    readonly amountChargedMinor: number;
    readonly currency: string;
    readonly url: string | null;
  } | null;
  /**
   * Whether to withdraw a recorded submission. Reported if nothing that can change state left the browser since the card was
   * released, or no byte of it was written. Only the holder of a live lease may withdraw.
   */
  readonly withdrawsSubmission: boolean;
  readonly merchantResponse: { readonly httpStatus: number | null; readonly textExcerpt: string | null } | null;
  readonly browserVersion: string | null;
  /** Whether the merchant billed the delivery address; null if not seen, or if it is the cardholder's. */
  readonly billingUsesShipTo: boolean | null;
  /** Required with `explored`, except for a dry run. */
  readonly exploration: Exploration | null;
  /** Required with `explored` for a dry run. */
  readonly dryRun: DryRun | null;
}

/** Ends an order. @throws {LeaseLostError} the order has ended, or never belonged to this lease */
export async function finishOrder(deps: OrderDeps, lease: string, finish: Finish): Promise<CheckoutOrder> {
  const { db, pubsub } = deps;
  const ended = await db.prisma.$transaction(async (tx) => {
    // The row lock prevents a submission of the card between this read and the transition.
    await tx.$queryRaw`SELECT id FROM checkout_orders WHERE worker_job_id = ${lease} FOR UPDATE`;
    const found = await tx.checkoutOrder.findUnique({ where: { workerJobId: lease } });
    if (found?.status !== "dispatched") return null;
    const order = finish.withdrawsSubmission ? await withdrawSubmission(tx, found) : found;
    const cause = deriveCause(order, finish, await hasFailedBefore(tx, order, finish.cause));
    const columns = createReportColumns(finish);
    if (cause === "explored" && finish.dryRun && readExploration(order)?.dryRun) {
      return await endOrder(tx, order.id, cause, { lease, columns: { ...columns, dryRun: finish.dryRun } });
    }
    if (cause !== "explored" || !finish.exploration) {
      const purchase = await endOrder(tx, order.id, cause, { lease, columns });
      if (purchase && cause === "confirmed") await learnTaxPolicy(tx, purchase);
      return purchase;
    }
    const explored = await storeExploration(tx, order.accountId, finish.exploration);
    return explored
      ? await endOrder(tx, order.id, cause, { lease, columns: { ...columns, ...explored } })
      : await endOrder(tx, order.id, "name_not_allowed", { lease, columns });
  }, LONG_TRANSACTION);
  if (!ended) throw new LeaseLostError();
  publishOrder(pubsub, ended);
  return ended;
}

/** Withdraws the submission if the lease is live and the submission unchanged. Otherwise returns the order as it is. */
async function withdrawSubmission(tx: Prisma.TransactionClient, order: CheckoutOrder): Promise<CheckoutOrder> {
  const { id, submittedAt } = order;
  if (submittedAt === null) return order;
  const withdrawn = await tx.$executeRaw`
    UPDATE checkout_orders SET submitted_at = NULL
    WHERE id = ${id} AND submitted_at = ${submittedAt} AND leased_until > clock_timestamp()`;
  return withdrawn === 1 ? { ...order, submittedAt: null } : order;
}

/**
 * Derives the cause from the worker's report and the order's row. After the card is submitted, only a result from the
 * merchant or the bank counts; otherwise the outcome is unknown.
 */
function deriveCause(order: CheckoutOrder, finish: Finish, isBroken: boolean): Cause {
  const { cause, confirmation } = finish;
  const isSubmitted = order.submittedAt !== null;
  const { kinds, card }: { kinds: readonly string[]; card: string } = TRANSITIONS[cause];
  if (!kinds.includes(order.kind)) return order.kind === "explored" ? "exploration_failed" : defaultCause(isSubmitted);
  if (card !== "either" && (card === "submitted") !== isSubmitted) return defaultCause(isSubmitted);
  if (cause === "confirmed") {
    if (confirmation === null) return "outcome_unknown";
    // An amount in another currency cannot be compared with the approved amount.
    const isWithin =
      confirmation.currency === order.currency && BigInt(confirmation.amountChargedMinor) <= (order.amountMinor ?? 0n);
    return isWithin ? "confirmed" : "overcharged";
  }
  const explored = readExploration(order)?.dryRun ? finish.dryRun : finish.exploration;
  if (cause === "explored" && explored === null) return "exploration_failed";
  return isBroken ? "recipe_broken" : cause;
}

const defaultCause = (isSubmitted: boolean): Cause => (isSubmitted ? "outcome_unknown" : "worker_crashed");

/** Reports whether the account's previous run at the merchant with the same recipe also failed on a missing field. */
async function hasFailedBefore(
  tx: Pick<OrderDeps["db"]["prisma"], "checkoutOrder" | "orderQuestion">,
  { id, accountId, kind, merchantId, recipeId, recipeVersion }: CheckoutOrder,
  cause: Finish["cause"],
): Promise<boolean> {
  if (cause !== "missing_field" || kind !== "purchase" || merchantId === null) return false;
  // The recipe is not at fault if the account owner did not answer.
  if ((await tx.orderQuestion.count({ where: { orderId: id, status: { not: "answered" } } })) > 0) return false;
  const before = await tx.checkoutOrder.findFirst({
    where: {
      accountId,
      merchantId,
      kind,
      recipeId,
      recipeVersion,
      startedAt: { not: null },
      completedAt: { not: null },
    },
    orderBy: { completedAt: "desc" },
    select: { errorCode: true },
  });
  return before?.errorCode === "missing_field" || before?.errorCode === "recipe_broken";
}

/** Stores the result in the transaction that ends the order. Returns the order's columns, or null as `saveExploration`. */
async function storeExploration(tx: Prisma.TransactionClient, accountId: string, exploration: Exploration) {
  const merchant = await saveExploration(tx, accountId, { ...exploration, rail: "worker" });
  return merchant && { merchantId: merchant.id, isTest: merchant.isTest, currency: exploration.currency };
}

function createReportColumns({ confirmation, merchantResponse, browserVersion, billingUsesShipTo }: Finish) {
  const response = {
    http_status: merchantResponse?.httpStatus ?? null,
    order_number: confirmation?.orderNumber ?? null,
    confirmation_url: confirmation?.url ?? null,
    amount_charged_minor: confirmation?.amountChargedMinor ?? null,
    currency: confirmation?.currency ?? null,
    text_excerpt: merchantResponse?.textExcerpt ?? null,
  };
  return {
    ...{ browserVersion, billingUsesShipTo },
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
