/** Proceeds from the cart to the payment page: reads each page, fills it in and continues. */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { WorkerSession } from "../session.ts";
import { isGuestControl } from "./blockers.ts";
import type { Values } from "./buyer.ts";
import { type CardField, cardFieldsOf } from "./card-fields.ts";
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
  readonly cardFields: readonly CardField[];
}

const MAX_ROUNDS = 60;
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
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    session.signal.throwIfAborted();
    const view = await snapshotUnblocked(navigation);
    if (!merchantOrigins.has(view.main.url))
      throw new CheckoutEndedError("missing_field", "The checkout leads to another site");
    if (await fillPage(run, view)) {
      await navigation.traffic.waitUntilSettled(navigation.page);
      lastChangeAtMs = performance.now();
      continue;
    }
    const delivery = await pickDelivery(view.main, session.job);
    isDeliveryPicked ||= delivery.isFound;
    if (delivery.chosen !== null) {
      await session.step("Select the delivery option", { outcome: delivery.chosen });
      await navigation.traffic.waitUntilSettled(navigation.page);
      lastChangeAtMs = performance.now();
      continue;
    }
    const isWithinAppearTime = performance.now() - lastChangeAtMs < navigation.timing.appearMs;
    const paymentPage = await paymentPageOf(run, view);
    if (paymentPage && (isDeliveryPicked || (!isWithinAppearTime && delivery.otherCount === 0))) return paymentPage;
    const next = paymentPage ? null : await findNextControl(run, view);
    if (next && (isDeliveryPicked || delivery.otherCount === 0)) {
      await clickNext(run, view, next, clicks);
      lastChangeAtMs = performance.now();
      continue;
    }
    if (!isWithinAppearTime) throw stuckError(run, view, delivery);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new CheckoutEndedError("missing_field", "The checkout has too many steps");
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

async function paymentPageOf(
  { recipe, merchantOrigins, session }: CheckoutRun,
  view: PageView,
): Promise<PaymentPage | null> {
  const cardFields = await cardFieldsOf(view, recipe);
  const pay =
    cardFields.length === 0 ? null : ((await findControl(view.main, "pay", recipe)) ?? submitOfForm(view.main));
  if (!pay) return null;
  const isPriced = totalOf(view, session.job.currency, ({ url }) => merchantOrigins.has(url)) !== null;
  return isPriced ? { view, pay, cardFields } : null;
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

function stuckError({ navigation, session }: CheckoutRun, view: PageView, delivery: DeliveryPick): CheckoutEndedError {
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
  const missing = missingFieldsIn(main);
  if (missing.length > 0) return rejectionError(main);
  return new CheckoutEndedError("missing_field", "No control for the next step found");
}
