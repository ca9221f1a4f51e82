/** Proceeds from the cart to the payment page: reads each page, fills it in and continues. */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { WorkerSession } from "../session.ts";
import { isGuestControl } from "./blockers.ts";
import type { Values } from "./buyer.ts";
import { findCardFields } from "./card-receivers.ts";
import { findControl, submitOfForm } from "./controls.ts";
import { type DeliveryPick, pickCardPayment, pickDelivery } from "./delivery.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { type AttemptCounts, fillForm, missingFieldsIn } from "./fill-form.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { clickThrough, type Navigation, snapshotUnblocked } from "./navigation.ts";
import { describe, documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { totalOf } from "./total.ts";

export interface CheckoutRun {
  readonly session: Pick<WorkerSession<PurchaseJob>, "job" | "step" | "signal">;
  readonly navigation: Navigation;
  readonly merchantOrigins: MerchantOrigins;
  readonly recipe: RecipeDefinition | null;
  readonly values: Values;
  readonly attempts: AttemptCounts;
}

/** The payment page with all fields filled in except the card's. */
export interface PaymentPage {
  readonly view: PageView;
  readonly pay: PageControl;
}

/** Maximum number of inputs and clicks. Rounds without any are limited by time. */
const MAX_CHANGES = 60;
const MAX_CLICKS = 2;
const POLL_INTERVAL_MS = 100;
const UNDELIVERABLE =
  /(?:cannot|can(?:'|’)t|do not|don(?:'|’)t|unable to|not) (?:be )?(?:deliver|ship|sen[dt])|no (?:shipping|delivery) (?:methods?|options?|rates?)|liefern (?:wir )?nicht|ne livr|no (?:enviamos|entregamos)|non (?:spediamo|consegniamo)/i;

/** @throws {CheckoutEndedError} the payment page cannot be reached */
export async function reachPayment(run: CheckoutRun): Promise<PaymentPage> {
  const { session, navigation, merchantOrigins } = run;
  const clicks = new Map<string, number>();
  let isDeliveryPicked = session.job.fulfillment?.type === "digital";
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
    assertAtMerchant(view, merchantOrigins);
    if (await fillPage(run, view)) {
      await navigation.traffic.waitUntilSettled(navigation.page);
      recordChange();
      continue;
    }
    const delivery = await pickDelivery(view.main, session.job);
    isDeliveryPicked ||= delivery.isFound;
    if (delivery.chosen !== null) {
      await session.step("Select the delivery option", { outcome: delivery.chosen });
      await navigation.traffic.waitUntilSettled(navigation.page);
      recordChange();
      continue;
    }
    const isWithinAppearTime = performance.now() - lastChangeAtMs < navigation.timing.appearMs;
    const paymentPage = await paymentPageOf(run, view);
    if (paymentPage && (isDeliveryPicked || (!isWithinAppearTime && delivery.otherCount === 0))) return paymentPage;
    const next = paymentPage ? null : await findNextControl(run, view);
    if (next && (isDeliveryPicked || delivery.otherCount === 0)) {
      await clickNext(run, view, next, clicks);
      recordChange();
      continue;
    }
    if (!isWithinAppearTime) throw await stuckError(run, view, delivery);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** @throws {CheckoutEndedError} the page is not one of the merchant's checkout */
export function assertAtMerchant({ main }: PageView, merchantOrigins: MerchantOrigins): void {
  if (merchantOrigins.has(main.url)) return;
  const { origin } = new URL(main.url);
  throw new CheckoutEndedError("missing_field", `The checkout leads to another site: ${origin}`.slice(0, 300));
}

/** Fills in the page once. Returns true if anything changed. */
async function fillPage(
  { session, merchantOrigins, recipe, values, attempts }: CheckoutRun,
  view: PageView,
): Promise<boolean> {
  const merchantDocuments = documentsOf(view).filter(({ url }) => merchantOrigins.has(url));
  const filled: string[] = [];
  for (const document of merchantDocuments)
    filled.push(...(await fillForm(document, { values, billing: null, recipe, attempts })));
  if (filled.length > 0) {
    await session.step("Fill in the form", {
      selector: filled.join(", ").slice(0, 500),
      outcome: `Filled ${filled.length} fields`,
    });
    return true;
  }
  return await pickCardPayment(view.main);
}

/** @throws {CheckoutEndedError} the page requests the card where it may not be entered */
async function paymentPageOf(run: CheckoutRun, view: PageView): Promise<PaymentPage | null> {
  const { merchantOrigins, session } = run;
  const pay = await findPayControl(view, run);
  const isPriced = totalOf(view, session.job.currency, ({ url }) => merchantOrigins.has(url)) !== null;
  if (!pay || !isPriced) return null;
  const { fields, objection } = await findCardFields(view, await view.main.element(pay.index), run);
  // A pinned frame may load later than others, which are ignored.
  const isPinned = session.job.cardEntry.frameOrigins !== null;
  if (objection !== null && !isPinned) throw new CheckoutEndedError("missing_field", objection);
  return fields.length > 0 ? { view, pay } : null;
}

export async function findPayControl({ main }: PageView, { recipe }: CheckoutRun): Promise<PageControl | null> {
  return (await findControl(main, "pay", recipe)) ?? submitOfForm(main);
}

/** Prefers guest checkout, then a control with a matching text, then the only submit button of the form. */
async function findNextControl({ recipe, session }: CheckoutRun, { main }: PageView): Promise<PageControl | null> {
  const hasPasswordField = main.fields.some(({ type }) => type === "password");
  const guest = hasPasswordField
    ? main.controls.find(({ text, disabled }) => !disabled && isGuestControl(text))
    : undefined;
  if (guest) return guest;
  if (await findControl(main, "pay", recipe)) return null;
  session.signal.throwIfAborted();
  return (
    (await findControl(main, "continue", recipe)) ?? (await findControl(main, "checkout", recipe)) ?? submitOfForm(main)
  );
}

/** Clicks the control. @throws {CheckoutEndedError} the page did not change and shows errors */
async function clickNext(
  { session, navigation }: CheckoutRun,
  view: PageView,
  control: PageControl,
  clicks: Map<string, number>,
): Promise<void> {
  const key = `${view.main.url} ${control.text}`;
  const count = (clicks.get(key) ?? 0) + 1;
  clicks.set(key, count);
  if (count > MAX_CLICKS) throw rejectionError(view.main);
  const element = await view.main.element(control.index);
  if (!element || !(await clickThrough(navigation, element))) return;
  const after = await snapshotUnblocked(navigation);
  await session.step("Continue", {
    selector: describe({ ...control, label: control.text }, control.tag),
    outcome: after.main.title,
    screenshot: true,
  });
  const isSame = signatureOf(after.main) === signatureOf(view.main);
  const hasNewErrors =
    after.main.alerts.length > view.main.alerts.length || after.main.fields.some(({ invalid }) => invalid);
  if (isSame && hasNewErrors) throw rejectionError(after.main);
}

function rejectionError(view: FrameView): CheckoutEndedError {
  const missing = missingFieldsIn(view);
  return missing.length > 0
    ? new CheckoutEndedError("missing_field", `No value for required fields: ${missing.join(", ").slice(0, 300)}`)
    : new CheckoutEndedError("form_rejected", "The merchant rejected the form");
}

/** Identifies a page by its fields, regardless of its URL. */
function signatureOf({ fields }: FrameView): string {
  return fields.map((field) => `${field.type} ${describe(field)}`).join(";");
}

async function stuckError(run: CheckoutRun, view: PageView, delivery: DeliveryPick): Promise<CheckoutEndedError> {
  const { navigation, session } = run;
  const { main } = view;
  if (UNDELIVERABLE.test(main.text))
    return new CheckoutEndedError("form_rejected", "The merchant does not deliver the items to this address");
  if (delivery.otherCount > 0) {
    return session.job.fulfillment
      ? new CheckoutEndedError("missing_field", "The approved delivery option is not offered")
      : new CheckoutEndedError("form_rejected", "The merchant offers no delivery option");
  }
  if (navigation.traffic.hasFormErrors)
    return new CheckoutEndedError("form_rejected", "The merchant rejected the form data");
  if (navigation.traffic.hasBrokenFrame)
    return new CheckoutEndedError("shop_unavailable", "The card fields did not load");
  // Without pinned frames, an objection ends the checkout before.
  const pay = await findPayControl(view, run);
  const objection = pay && (await findCardFields(view, await main.element(pay.index), run)).objection;
  if (objection !== null && session.job.cardEntry.frameOrigins !== null)
    return new CheckoutEndedError("missing_field", objection);
  const missing = missingFieldsIn(main);
  if (missing.length > 0) return rejectionError(main);
  return new CheckoutEndedError("missing_field", "No control for the next step found");
}
