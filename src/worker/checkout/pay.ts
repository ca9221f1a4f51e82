/** Pays on the payment page: verifies the total, types the card and submits the payment once. */
import type { ElementHandle } from "playwright-core";
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { awaitOutcome } from "./await-outcome.ts";
import { fillBilling } from "./billing.ts";
import { assertUnmoved, findCardFields, isPrivateConnection, pinFrames, pinnedOriginsOf } from "./card-receivers.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { click } from "./click.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { fillCard, missingCardField } from "./fill-card.ts";
import type { Profile } from "./gate/profile.ts";
import { snapshotUnblocked } from "./navigation.ts";
import { assertAtMerchant, missingFieldError, missingOnPage } from "./page-checks.ts";
import { documentsOf, type PageView } from "./page-snapshot.ts";
import { installPayGate, type PayGate, type SentRequest } from "./pay-gate.ts";
import { isPayPath } from "./pay-path.ts";
import { findPayControl, type PaymentPage } from "./payment-page.ts";
import { readPermittedTotal } from "./permitted-total.ts";
import { awaitReview } from "./review.ts";

const POLL_INTERVAL_MS = 120;

interface PaymentRun extends CheckoutRun {
  readonly session: WorkerSession<PurchaseJob>;
  readonly profiles: readonly Profile[];
  /** Called when the card counts as submitted. */
  readonly onSubmitted: () => void;
}

/**
 * Submits the payment and returns its outcome.
 * @throws {CheckoutEndedError} no payment left, although a submission may have been recorded (`UnsentError`)
 */
export async function pay(run: PaymentRun, paymentPage: PaymentPage): Promise<DriveResult> {
  const { session, navigation, merchantOrigins, recipe } = run;
  const { job, signal } = session;
  await navigation.traffic.waitUntilSettled(navigation.page);
  if (navigation.traffic.hasFormErrors)
    throw new CheckoutEndedError("form_rejected", "The merchant rejected the form data");
  const before = await snapshotUnblocked(navigation);
  assertAtMerchant(before, merchantOrigins);
  readPermittedTotal(run, before);
  assertFilled(run, before);
  const payControl = await findPayControl(before, run);
  const payElement = await (payControl ?? paymentPage.pay).element();
  const { fields, objection } = await findCardFields(before, payElement, run);
  const refusal = objection ?? missingCardField(fields);
  if (refusal) throw new CheckoutEndedError("missing_field", refusal);
  const pins = pinFrames(before, fields);
  const payUrl = payControl?.posts ?? paymentPage.pay.posts;
  const urls = [before.main.url, ...fields.map(({ view }) => view.url), ...(payUrl === null ? [] : [payUrl])];
  if (!urls.every(isPrivateConnection)) {
    throw new CheckoutEndedError("missing_field", "The card would be sent over an unencrypted connection");
  }
  const cardOrigins = pinnedOriginsOf(fields, job.cardEntry);
  const gate = await installPayGate(session.context, {
    ...{ merchantOrigins, job, cardOrigins, payUrl, profiles: run.profiles, traffic: navigation.traffic },
    isPayPath: (url) => isPayPath(recipe, url),
    responseMs: navigation.timing.outcomeMs,
    commit: async () => {
      assertUnmoved(pins, { mayBeRemoved: true });
      await session.recordSubmission();
      run.onSubmitted();
      assertUnmoved(pins, { mayBeRemoved: true });
    },
    onSent: (sent) => void session.step("Send the payment", { outcome: describeSent(sent) }).catch(() => {}),
  });
  try {
    await session.step("Read the total", { outcome: "Within the approved amount", screenshot: true });
    signal.throwIfAborted();
    assertUnmoved(pins);
    const card = await session.releaseCard();
    gate.watchCard(card.number);
    const current = await snapshotUnblocked(navigation);
    const currentControl = await findPayControl(current, run);
    await assertPermitted(run, current, currentControl ? await currentControl.element() : payElement);
    assertUnmoved(pins);
    await fillCard(session, fields, card, pins);
    await fillBilling(run, card.billingAddress);
    await navigation.traffic.waitUntilSettled(navigation.page);
    const ready = await snapshotReady(run);
    const total = readPermittedTotal(run, ready);
    assertFilled(run, ready, true);
    const control = await findPayControl(ready, run);
    if (!control) throw new CheckoutEndedError("missing_field", "The pay button no longer exists");
    if (control.disabled) {
      throw new CheckoutEndedError("missing_field", "The pay button is off although the card is complete");
    }
    const element = await control.element();
    if (!element) throw new CheckoutEndedError("missing_field", "The pay button no longer exists");
    assertUnmoved(pins);
    await assertPermitted(run, ready, element);
    signal.throwIfAborted();
    assertUnmoved(pins);
    gate.press(control.posts);
    const pressedAtMs = performance.now();
    await pressPay(run, control, element);
    const { timing, traffic } = navigation;
    const outcome = {
      session,
      gate,
      traffic,
      timing,
      merchantOrigins,
      pins: cardOrigins,
      currency: job.currency,
      total,
    };
    const review = await awaitReview(run, { gate, control, shown: ready, total, pins: cardOrigins });
    if (!review) return await awaitOutcome({ ...outcome, pressedAtMs, knownAlerts: alertsOf(ready) });
    // A form without an address posts to its page.
    const placeUrl = review.control.posts ?? (review.control.isSubmit ? review.view.main.url : null);
    if (review.isStored) gate.allowReview(placeUrl);
    else gate.press(placeUrl);
    const placedAtMs = performance.now();
    await pressPay(run, review.control, review.element);
    return await awaitOutcome({ ...outcome, pressedAtMs: placedAtMs, knownAlerts: alertsOf(review.view) });
  } catch (error) {
    throw await endingOf(error, gate);
  } finally {
    // Rejects payments that the pages send later.
    await gate.close();
  }
}

/** Returns the page once its pay control is on, or its last state. Pages turn it on once they have checked the card. */
async function snapshotReady(run: PaymentRun): Promise<PageView> {
  const { navigation, session } = run;
  const untilMs = performance.now() + navigation.timing.appearMs;
  for (;;) {
    const view = await snapshotUnblocked(navigation);
    const control = await findPayControl(view, run);
    if (!control?.disabled || performance.now() > untilMs) return view;
    session.signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** The browser's validation must not block the form. @throws {CheckoutEndedError} a required field is empty or invalid */
function assertFilled(run: PaymentRun, view: PageView, isBillingKnown = false): void {
  const missing = missingOnPage(run, view, isBillingKnown);
  if (missing.length > 0) throw missingFieldError(missing);
}

/** Clicks a control and records it. */
async function pressPay(
  { session }: PaymentRun,
  { tag, text }: PageControl,
  element: ElementHandle<HTMLElement>,
): Promise<void> {
  const isClicked = await click(element);
  await session.step("Pay", {
    selector: `${tag}:label("${text}")`,
    outcome: isClicked ? "The button received the click" : "The button did not receive the click",
    screenshot: false,
  });
}

const alertsOf = (view: PageView): ReadonlySet<string> => new Set(documentsOf(view).flatMap(({ alerts }) => alerts));

function describeSent({ url }: SentRequest): string {
  return `Sent once to ${URL.parse(url)?.origin ?? "an unknown origin"}`.slice(0, 300);
}

/** The order ends, and nothing that can change state has left since the card was released. */
export class UnsentError extends CheckoutEndedError {
  override readonly name: "CheckoutEndedError" = "CheckoutEndedError";
  /** Whether a submission was recorded that must be withdrawn. */
  readonly isCommitted: boolean;
  constructor({ cause, message }: CheckoutEndedError, isCommitted: boolean) {
    super(cause, message);
    this.isCommitted = isCommitted;
  }
}

/** Closes the gate, and returns an error that states whether anything has left. */
async function endingOf(error: unknown, gate: PayGate): Promise<unknown> {
  await gate.close();
  return error instanceof CheckoutEndedError && !gate.hasLeft ? new UnsentError(error, gate.isCommitted) : error;
}

/** Frames may be added at any time. @throws {CheckoutEndedError} there is an objection to the card on the current page */
async function assertPermitted(run: PaymentRun, view: PageView, payElement: ElementHandle | null): Promise<void> {
  const { objection } = await findCardFields(view, payElement, run);
  if (objection !== null) throw new CheckoutEndedError("missing_field", objection);
}
