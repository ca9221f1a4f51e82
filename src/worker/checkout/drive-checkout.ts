/**
 * Drives one purchase from the cart to the merchant's confirmation. Before submission it may end with any cause. After
 * submission only responses of the merchant or the bank decide; anything unreadable is `outcome_unknown`.
 */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { type DriveResult, LeaseLostError, type WorkerSession } from "../session.ts";
import { deliveryValues } from "./buyer.ts";
import { fillCart, openCheckout } from "./cart.ts";
import { CheckoutEndedError, TIMING, type Timing } from "./ending.ts";
import type { Profile } from "./gate/profile.ts";
import { createCheckoutOrigins } from "./merchant-origins.ts";
import { openPage } from "./navigation.ts";
import { followPage } from "./page-trail.ts";
import { pay, UnsentError } from "./pay.ts";
import { PROFILES } from "./profiles/all.ts";
import { reachPayment } from "./reach-payment.ts";
import { watchTraffic } from "./traffic.ts";

/**
 * Drives a purchase and returns its result.
 * @param profiles what platforms send beside the payment
 * @throws the signal's reason, or {LeaseLostError}
 */
export async function driveCheckout(
  session: WorkerSession<PurchaseJob>,
  timing: Timing = TIMING,
  profiles: readonly Profile[] = PROFILES,
): Promise<DriveResult> {
  const { job, page, context, signal } = session;
  const traffic = watchTraffic(context, timing);
  const trail = followPage(page, { closesPopups: false });
  let isSubmitted = false;
  let billingUsesShipTo: boolean | null = null;
  const onSubmitted = () => {
    isSubmitted = true;
  };
  try {
    return await runUntilAborted(
      signal,
      () => isSubmitted,
      async () => {
        const recipe = RecipeDefinition.safeParse(job.recipe?.definition).data ?? null;
        // The merchant's URL may have changed since the order was placed.
        const merchantOrigins = createCheckoutOrigins(job.cardEntry);
        const navigation = { page, traffic, timing };
        const run = {
          session,
          navigation,
          merchantOrigins,
          trail,
          recipe,
          values: deliveryValues(job),
          attempts: new Map<string, number>(),
          deliveryFields: new Set<string>(),
          onBilling(usesShipTo: boolean) {
            billingUsesShipTo = usesShipTo;
          },
        };
        if (job.merchant.rail === "shopify" && job.basketUrl !== null) await openPage(navigation, job.basketUrl);
        else await fillCart(navigation, job.items, recipe);
        await session.step("Open the cart", { outcome: await page.title(), screenshot: true });
        await openCheckout(navigation, recipe);
        const paymentPage = await reachPayment(run);
        const { origins } = paymentPage;
        const result = await pay({ ...run, session, merchantOrigins: origins, profiles, onSubmitted }, paymentPage);
        return { ...result, billingUsesShipTo };
      },
    );
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    const isUnsent = error instanceof UnsentError;
    if (isSubmitted && !isUnsent) return { cause: "outcome_unknown" };
    if (signal.aborted && !isSubmitted) throw signal.reason;
    const ended =
      error instanceof CheckoutEndedError
        ? error
        : new CheckoutEndedError("worker_crashed", describeBrowserError(error));
    await session.step("Stop", { outcome: ended.message, screenshot: true });
    return { cause: ended.cause, ...(isUnsent && error.isCommitted ? { withdrawsSubmission: true } : {}) };
  } finally {
    traffic.stop();
    trail.stop();
  }
}

/** Rejects when the signal aborts. After submission, only a lost lease aborts the work. */
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

/** Returns the error's name only, because Playwright's messages may quote typed values. */
function describeBrowserError(error: unknown): string {
  return `Browser error: ${error instanceof Error ? error.name : "unknown"}`;
}
