/**
 * Drives one purchase from its basket to the shop's confirmation. Before the card is submitted it may end for any reason, and
 * says which; afterwards only what the shop or the bank says counts, and what cannot be read is unknown.
 */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { type DriveResult, LeaseLostError, type WorkerSession } from "../session.ts";
import { fillCart, openCheckout } from "./basket.ts";
import { deliveryValues } from "./buyer.ts";
import { openPage } from "./course.ts";
import { CheckoutEndedError, TIMING, type Timing } from "./ending.ts";
import { pay } from "./pay.ts";
import { reachPayment } from "./reach-payment.ts";
import { merchantOriginsOf } from "./shop-origins.ts";
import { watchTraffic } from "./traffic.ts";

/** @throws the signal's reason; {LeaseLostError} stop at once */
export async function driveCheckout(
  session: WorkerSession<PurchaseJob>,
  timing: Timing = TIMING,
): Promise<DriveResult> {
  const { job, page, context, signal } = session;
  const traffic = watchTraffic(context, timing);
  let isSubmitted = false;
  const onSubmitted = () => {
    isSubmitted = true;
  };
  try {
    return await runUntilAborted(
      signal,
      () => isSubmitted,
      async () => {
        const recipe = RecipeDefinition.safeParse(job.recipe?.definition).data ?? null;
        const merchantOrigins = merchantOriginsOf(job.merchant.url, recipe);
        const navigation = { page, traffic, timing };
        const run = {
          session,
          navigation,
          merchantOrigins,
          recipe,
          values: deliveryValues(job),
          attempts: new Map<string, number>(),
        };
        if (job.merchant.rail === "shopify" && job.basketUrl !== null) await openPage(navigation, job.basketUrl);
        else await fillCart(navigation, job.items, recipe);
        await session.step("open the basket", { outcome: await page.title(), screenshot: true });
        await openCheckout(navigation, recipe);
        const paymentPage = await reachPayment(run);
        return await pay({ ...run, session, onSubmitted }, paymentPage);
      },
    );
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    if (isSubmitted) return { cause: "outcome_unknown" };
    if (signal.aborted) throw signal.reason;
    const ended =
      error instanceof CheckoutEndedError
        ? error
        : new CheckoutEndedError("worker_crashed", describeBrowserError(error));
    await session.step("stop", { outcome: ended.message, screenshot: true });
    return { cause: ended.cause };
  } finally {
    traffic.stop();
  }
}

/** Breaks off with the signal; once the card is submitted, only for a lease that is lost. */
async function runUntilAborted<Result>(
  signal: AbortSignal,
  isSubmitted: () => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => {
    if (!isSubmitted() || signal.reason instanceof LeaseLostError) stopped.reject(signal.reason);
  };
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([work(), stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** What Playwright says may repeat what was typed: only what kind it was is told. */
function describeBrowserError(error: unknown): string {
  return `the browser failed: ${error instanceof Error ? error.name : "unknown"}`;
}
