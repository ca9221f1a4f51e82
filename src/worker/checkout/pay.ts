/** Pays on the payment page: verifies the total, types the card and submits the payment once. */
import type { ElementHandle } from "playwright-core";
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { awaitOutcome } from "./await-outcome.ts";
import { fillBilling } from "./billing.ts";
import { assertUnmoved, findCardFields, isPrivateConnection, pinFrames, pinnedOriginsOf } from "./card-receivers.ts";
import { click } from "./click.ts";
import { CheckoutEndedError } from "./ending.ts";
import { fillCard, missingCardField } from "./fill-card.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { snapshotUnblocked } from "./navigation.ts";
import { documentsOf, type PageView } from "./page-snapshot.ts";
import { installPayGate } from "./pay-gate.ts";
import { assertAtMerchant, type CheckoutRun, findPayControl, type PaymentPage } from "./reach-payment.ts";
import { totalOf } from "./total.ts";

interface PaymentRun extends CheckoutRun {
  readonly session: WorkerSession<PurchaseJob>;
  /** Called when the card counts as submitted. */
  readonly onSubmitted: () => void;
}

/** Submits the payment and returns its outcome. @throws {CheckoutEndedError} only before submission */
export async function pay(run: PaymentRun, paymentPage: PaymentPage): Promise<DriveResult> {
  const { session, navigation, merchantOrigins, recipe } = run;
  const { job, signal } = session;
  await navigation.traffic.waitUntilSettled(navigation.page);
  if (navigation.traffic.hasFormErrors)
    throw new CheckoutEndedError("form_rejected", "The merchant rejected the form data");
  const before = await snapshotUnblocked(navigation);
  assertAtMerchant(before, merchantOrigins);
  assertWithin(run, before);
  const payControl = await findPayControl(before, run);
  const payElement = payControl
    ? await before.main.element(payControl.index)
    : await paymentPage.view.main.element(paymentPage.pay.index);
  const { fields, objection } = await findCardFields(before, payElement, run);
  const refusal = objection ?? missingCardField(fields);
  if (refusal) throw new CheckoutEndedError("missing_field", refusal);
  const pins = pinFrames(before, fields);
  const payUrl = payControl?.posts ?? paymentPage.pay.posts;
  const urls = [before.main.url, ...fields.map(({ view }) => view.url), ...(payUrl === null ? [] : [payUrl])];
  if (!urls.every(isPrivateConnection)) {
    throw new CheckoutEndedError("missing_field", "The card would be sent over an unencrypted connection");
  }
  const gate = await installPayGate(session.context, {
    merchantOrigins: merchantOrigins.known,
    isPayment: (url) => (payUrl !== null && url.split("#")[0] === payUrl.split("#")[0]) || isPayPath(recipe, url),
    seen: navigation.traffic.seen,
    responseMs: navigation.timing.outcomeMs,
  });
  try {
    await session.step("Read the total", { outcome: "Within the approved amount", screenshot: true });
    signal.throwIfAborted();
    assertUnmoved(pins);
    const card = await session.releaseCard();
    const current = await snapshotUnblocked(navigation);
    const currentControl = await findPayControl(current, run);
    await assertPermitted(run, current, currentControl ? await current.main.element(currentControl.index) : payElement);
    assertUnmoved(pins);
    await fillCard(session, fields, card, pins);
    await fillBilling(run, card.billingAddress);
    await navigation.traffic.waitUntilSettled(navigation.page);
    const ready = await snapshotUnblocked(navigation);
    assertWithin(run, ready);
    const control = await findPayControl(ready, run);
    const element = control && (await ready.main.element(control.index));
    if (!element) throw new CheckoutEndedError("missing_field", "The pay button no longer exists");
    assertUnmoved(pins);
    await assertPermitted(run, ready, element);
    signal.throwIfAborted();
    assertUnmoved(pins);
    await session.recordSubmission();
    run.onSubmitted();
    assertUnmoved(pins);
    gate.open();
    const isClicked = await click(element);
    await session.step("Pay", {
      selector: `${control.tag}:label("${control.text}")`,
      outcome: isClicked ? "Sent once" : "The button did not receive the click",
      screenshot: false,
    });
    const { timing, traffic } = navigation;
    const knownAlerts = new Set(documentsOf(ready).flatMap(({ alerts }) => alerts));
    return await awaitOutcome({
      session,
      gate,
      traffic,
      timing,
      merchantOrigins,
      pins: pinnedOriginsOf(fields, job.cardEntry),
      currency: job.currency,
      knownAlerts,
    });
  } finally {
    // Rejects payments that the pages send later.
    gate.close();
  }
}

/** Frames may be added at any time. @throws {CheckoutEndedError} there is an objection to the card on the current page */
async function assertPermitted(run: PaymentRun, view: PageView, payElement: ElementHandle | null): Promise<void> {
  const { objection } = await findCardFields(view, payElement, run);
  if (objection !== null) throw new CheckoutEndedError("missing_field", objection);
}

/** @throws {CheckoutEndedError} the total exceeds the approved amount, is in another currency, or cannot be read */
function assertWithin(
  {
    session: { job },
    merchantOrigins,
  }: { session: Pick<PaymentRun["session"], "job">; merchantOrigins: MerchantOrigins },
  view: PageView,
): void {
  const total = totalOf(view, job.currency, ({ url }) => merchantOrigins.has(url));
  if (!total) throw new CheckoutEndedError("missing_field", "The total cannot be read");
  if (total.currency !== job.currency)
    throw new CheckoutEndedError("price_changed", `The total is in ${total.currency}`);
  const maxMinor = Math.min(job.amountMinor, job.request.constraints?.maxTotalMinor ?? job.amountMinor);
  if (total.amountMinor > maxMinor)
    throw new CheckoutEndedError("price_changed", "The total exceeds the approved amount");
}

/** Compares the URL's path with the recipe's pattern. `*` matches one segment. */
function isPayPath(recipe: RecipeDefinition | null, url: string): boolean {
  if (!recipe?.payPath) return false;
  const pattern = recipe.payPath.split("/");
  const actual = new URL(url).pathname.split("/");
  return pattern.length === actual.length && pattern.every((part, index) => part === "*" || part === actual[index]);
}
