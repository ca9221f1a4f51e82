/** Drives a checkout up to the page at which a purchase would use the card, and reads that page. No card is requested. */
import type { DryRunJob, PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { explorationCauseOf } from "../explore/exploration-cause.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { deliveryValues } from "./buyer.ts";
import { fillCart, openCheckout } from "./cart.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { installDryRunGate } from "./dry-run-gate.ts";
import { CheckoutEndedError, TIMING, type Timing } from "./ending.ts";
import { createCheckoutOrigins } from "./merchant-origins.ts";
import { openPage, snapshotUnblocked } from "./navigation.ts";
import { MissingFieldsError } from "./page-checks.ts";
import { followPage } from "./page-trail.ts";
import { isPayPath } from "./pay-path.ts";
import { HostedPageError, reachPayment } from "./reach-payment.ts";
import type { MissingField } from "./required-fields.ts";
import { taxOf, totalOf } from "./total.ts";
import { watchTraffic } from "./traffic.ts";

const MAX_MISSING = 50;

/** Drives a dry run. @throws the signal's reason, or the browser's error after its pages closed */
export async function driveDryRun(session: WorkerSession<DryRunJob>, timing: Timing = TIMING): Promise<DriveResult> {
  const { job, page, context } = session;
  const recipe = RecipeDefinition.safeParse(job.recipe?.definition).data ?? null;
  const merchantOrigins = createCheckoutOrigins(job.cardEntry);
  const gate = await installDryRunGate(context, {
    ...{ merchantOrigins, job },
    isPayPath: (url) => isPayPath(recipe, url),
  });
  const traffic = watchTraffic(context, timing);
  const trail = followPage(page, { closesPopups: true });
  const navigation = { page, traffic, timing };
  // The steps to the payment page are those of a purchase. They read neither amount nor card.
  const purchase: PurchaseJob = { ...job, kind: "purchase", amountMinor: 0, needsSecurityCode: false };
  const run: CheckoutRun = {
    session: { job: purchase, step: session.step, signal: session.signal, ask: async () => null },
    ...{ navigation, merchantOrigins, trail, recipe, isDryRun: true },
    values: deliveryValues(purchase),
    attempts: new Map(),
    deliveryFields: new Set(),
    onBilling: () => {},
  };
  try {
    if (job.merchant.rail === "shopify" && job.basketUrl !== null) await openPage(navigation, job.basketUrl);
    else await fillCart(navigation, job.items, recipe);
    await session.step("Open the cart", { outcome: await page.title(), screenshot: true });
    await openCheckout(navigation, recipe);
    const { isAtPayment, missing } = await approachPayment(run);
    gate.shut();
    const view = await snapshotUnblocked(navigation);
    const isOfMerchant = ({ url }: { readonly url: string }) => merchantOrigins.has(url);
    const total = totalOf(view, job.currency, isOfMerchant);
    await session.step("Read the total", {
      outcome: `Stopped before the card; refused ${gate.refusedCount} requests`,
      screenshot: true,
    });
    return {
      cause: "explored",
      dryRun: {
        isAtPayment,
        totalMinor: total?.amountMinor ?? null,
        taxMinor: taxOf(view, job.currency, isOfMerchant),
        currency: total?.currency ?? job.currency,
        missingFields: missing.slice(0, MAX_MISSING).map(({ purpose, label }) => ({ purpose, label })),
      },
    };
  } catch (error) {
    if (session.signal.aborted || !(error instanceof CheckoutEndedError)) throw error;
    await session.step("Stop", { outcome: error.message, screenshot: true });
    return { cause: explorationCauseOf(error.cause) };
  } finally {
    gate.shut();
    traffic.stop();
    trail.stop();
  }
}

/** Proceeds to the payment page, or to the page from which it cannot be reached. */
async function approachPayment(
  run: CheckoutRun,
): Promise<{ readonly isAtPayment: boolean; readonly missing: readonly MissingField[] }> {
  try {
    await reachPayment(run);
    return { isAtPayment: true, missing: [] };
  } catch (error) {
    // A merchant opens a processor's page only for a placed order. The total before it may still change.
    if (error instanceof HostedPageError) return { isAtPayment: false, missing: [] };
    if (error instanceof MissingFieldsError) return { isAtPayment: false, missing: error.fields };
    throw error;
  }
}
