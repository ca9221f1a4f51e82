/** Proceeds from the cart to the payment page: reads each page, fills it in and continues. */
import { type AskedFields, askForMissing, hasQuestion } from "./ask-missing.ts";
import { deliveryFieldsOf } from "./billing.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { addressControlOf, isPayText } from "./controls.ts";
import { declineChoice, declineControlOf } from "./decline-offer.ts";
import { pickCardPayment, pickDelivery } from "./delivery.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { purposeOf } from "./field-purposes.ts";
import { fillForm } from "./fill-form.ts";
import { checkoutOriginsAt } from "./hosted-page.ts";
import { openPage, snapshotUnblocked } from "./navigation.ts";
import {
  cardMethodControlOf,
  findControlToHostedPage,
  findNextControls,
  pickGuest,
  pickPrivate,
} from "./next-control.ts";
import { dismissOverlay } from "./overlays.ts";
import { assertAtMerchant, missingFieldError, missingOnPage, unapprovedOnPage } from "./page-checks.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { type PaymentPage, paymentPageOf } from "./payment-page.ts";
import { type Clicks, clickNext, countClick, leaveWallet } from "./step-clicks.ts";
import { stuckError } from "./stuck-error.ts";

/** Ends a dry run at a control that may place the order, such as one that leads to the payment page of a processor. */
export class HostedPageError extends CheckoutEndedError {
  constructor() {
    super("missing_field", "The next control may place the order");
  }
}

/** Maximum number of inputs and clicks. Rounds without any are limited by time. */
const MAX_CHANGES = 60;
const POLL_INTERVAL_MS = 100;
/** Time for scripts to leave a page of another site, and for card fields to appear. */
const PASSAGE_MS = 3_000;
const CARD_FIELDS_MS = 2_500;
const ASK_AFTER_MS = 1_500;

/** @throws {CheckoutEndedError} the payment page cannot be reached */
export async function reachPayment(run: CheckoutRun): Promise<PaymentPage> {
  const { session, navigation } = run;
  const clicks: Clicks = new Map();
  const overlays = new Set<string>();
  const asked: AskedFields = new Set();
  const pressedDeliveries = new Set<string>();
  let isDeliveryPicked = session.job.fulfillment?.type === "digital";
  let isFrameOpened = false;
  let lastChangeAtMs = performance.now();
  let changeCount = 0;
  const recordChange = () => {
    lastChangeAtMs = performance.now();
    changeCount += 1;
    if (changeCount > MAX_CHANGES) throw new CheckoutEndedError("missing_field", "The checkout has too many steps");
  };
  for (;;) {
    session.signal.throwIfAborted();
    const view = await snapshotUnblocked(navigation);
    const waitedMs = performance.now() - lastChangeAtMs;
    const origins = checkoutOriginsAt(view, run);
    if (origins === null) {
      // Merchants may pass through other sites on the way to the processor.
      if (waitedMs > PASSAGE_MS) assertAtMerchant(view, run.merchantOrigins);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      continue;
    }
    const at: CheckoutRun = { ...run, merchantOrigins: origins };
    const closed = await dismissOverlay(view, overlays);
    if (closed !== null) {
      await session.step("Close a dialog", { outcome: closed, screenshot: false });
      await navigation.traffic.waitUntilSettled(navigation.page);
      recordChange();
      continue;
    }
    if (await leaveWallet(at, view, clicks)) {
      recordChange();
      continue;
    }
    if (await fillPage(at, view)) {
      await navigation.traffic.waitUntilSettled(navigation.page);
      recordChange();
      continue;
    }
    const delivery = await pickDelivery(view.main, session.job, pressedDeliveries);
    isDeliveryPicked ||= delivery.isFound;
    if (delivery.chosen !== null) {
      await session.step("Select the delivery option", { outcome: delivery.chosen });
      await navigation.traffic.waitUntilSettled(navigation.page);
      recordChange();
      continue;
    }
    const opener = addressControlOf(view.main);
    if (opener && countClick(clicks, view, opener) === 0) {
      await clickNext(at, view, opener, clicks, "Open the address fields");
      recordChange();
      continue;
    }
    const decline = declineControlOf(view.main);
    if (decline && countClick(clicks, view, decline) === 0) {
      await clickNext(at, view, decline, clicks, "Decline an offer");
      recordChange();
      continue;
    }
    // Scripts of the page may still fill in fields of their own.
    if (run.merchantOrigins.has(view.main.url) && hasQuestion(view.main, asked)) {
      if (waitedMs <= ASK_AFTER_MS) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      else if (run.isDryRun) throw missingFieldError(missingOnPage(at, view));
      else {
        await askForMissing(session, view.main, asked);
        recordChange();
      }
      continue;
    }
    const isWithinAppearTime = waitedMs < navigation.timing.appearMs;
    const paymentPage = await paymentPageOf(at, view, origins);
    if (paymentPage && (isDeliveryPicked || (!isWithinAppearTime && delivery.otherCount === 0))) {
      const missing = missingOnPage(at, view);
      const unapproved = await unapprovedOnPage(at, view);
      if (missing.length === 0 && unapproved === null) return paymentPage;
      if (!isWithinAppearTime) throw missing.length > 0 ? missingFieldError(missing) : unapproved;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      continue;
    }
    const next = paymentPage ? null : await findNextControl(at, view, { clicks, waitedMs });
    if (next && (isDeliveryPicked || delivery.otherCount === 0)) {
      await clickNext(at, view, next, clicks);
      recordChange();
      continue;
    }
    const framed = isWithinAppearTime || isFrameOpened ? null : framedCheckoutOf(view, run.merchantOrigins);
    if (framed !== null) {
      isFrameOpened = true;
      await session.step("Open the checkout of a frame", { outcome: new URL(framed).pathname.slice(0, 200) });
      await openPage(navigation, framed);
      recordChange();
      continue;
    }
    if (!isWithinAppearTime) throw await stuckError(at, view, delivery);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** Returns the URL of a frame of the merchant that contains the checkout, on a page that has no fields itself; null without one. */
function framedCheckoutOf({ main, inner }: PageView, merchantOrigins: CheckoutRun["merchantOrigins"]): string | null {
  const hasForm = ({ fields }: FrameView) => fields.filter((field) => purposeOf(field) !== null).length > 2;
  const framed = inner.filter((view) => merchantOrigins.has(view.url) && hasForm(view));
  return framed.length === 1 && !hasForm(main) ? (framed[0]?.url ?? null) : null;
}

/** Fills in the page once. Returns true if anything changed. */
async function fillPage(
  { session, merchantOrigins, recipe, values, attempts, deliveryFields }: CheckoutRun,
  view: PageView,
): Promise<boolean> {
  const merchantDocuments = documentsOf(view).filter(({ url }) => merchantOrigins.has(url));
  const filled: string[] = [];
  for (const field of merchantDocuments.flatMap(deliveryFieldsOf)) deliveryFields.add(field);
  for (const document of merchantDocuments)
    filled.push(...(await fillForm(document, { values, billing: null, recipe, attempts })));
  if (filled.length > 0) {
    await session.step("Fill in the form", {
      selector: filled.join(", ").slice(0, 500),
      outcome: `Filled ${filled.length} fields`,
    });
    return true;
  }
  return (
    (await pickGuest(view.main)) ||
    (await pickPrivate(view.main)) ||
    (await declineChoice(view.main)) ||
    (await pickCardPayment(view.main))
  );
}

/** Prefers controls that were clicked less often on this page, since controls of earlier steps may remain on a page. */
async function findNextControl(
  { recipe, session, isDryRun }: CheckoutRun,
  view: PageView,
  { clicks, waitedMs }: { readonly clicks: ReadonlyMap<string, number>; readonly waitedMs: number },
): Promise<PageControl | null> {
  const method = await cardMethodControlOf(view);
  if (method && countClick(clicks, view, method) === 0) return method;
  const controls = await findNextControls(view, recipe);
  session.signal.throwIfAborted();
  const [next] = controls.toSorted((one, other) => countClick(clicks, view, one) - countClick(clicks, view, other));
  // Card fields may load late, and some texts name both the way to the checkout and the order, such as “Passer la commande”.
  if (next && isDryRun && isPayText(next.text) && waitedMs > CARD_FIELDS_MS) throw new HostedPageError();
  if (next) return isPayText(next.text) && waitedMs <= CARD_FIELDS_MS ? null : next;
  const order = waitedMs > CARD_FIELDS_MS ? await findControlToHostedPage(view, recipe) : null;
  if (order && isDryRun) throw new HostedPageError();
  return order && countClick(clicks, view, order) === 0 ? order : null;
}
