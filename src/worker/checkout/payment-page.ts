/** The payment page: its control that sends the card, and its card fields. */
import type { ElementHandle } from "playwright-core";
import { findCardFields } from "./card-receivers.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { findControl, payControlThatIsOff, submitOfForm } from "./controls.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { isFrameVisible } from "./frame-elements.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { requestsCardNumber, showsCardNumber } from "./next-control.ts";
import type { FrameView, PageView } from "./page-snapshot.ts";
import { bareOrderControlOf } from "./place-control.ts";
import { totalOf } from "./total.ts";

/** A control and the document that has it. */
export interface PayControl extends PageControl {
  element(): Promise<ElementHandle<HTMLElement> | null>;
}

/** The payment page with all fields filled in except the card's. */
export interface PaymentPage {
  /** The merchant's origins and, on a hosted payment page, that of the processor. */
  readonly origins: MerchantOrigins;
  readonly pay: PayControl;
}

/**
 * Returns the page if it has a total, a control that sends the card and card fields; otherwise null.
 * @throws {CheckoutEndedError} the page requests the card where it may not be entered
 */
export async function paymentPageOf(
  run: CheckoutRun,
  view: PageView,
  origins: MerchantOrigins,
): Promise<PaymentPage | null> {
  const { merchantOrigins, session } = run;
  const pay = await findPayControl(view, run);
  const isPriced = totalOf(view, session.job.currency, ({ url }) => merchantOrigins.has(url)) !== null;
  if (!pay || !isPriced) return null;
  const { fields, objection } = await findCardFields(view, await pay.element(), run);
  // A pinned frame may load later than others, which are ignored.
  const isPinned = session.job.cardEntry.frameOrigins !== null;
  if (objection !== null && !isPinned) throw new CheckoutEndedError("missing_field", objection);
  return fields.length > 0 ? { pay, origins } : null;
}

/**
 * Returns the control that sends the card: the payment, or the step before a review of the order. It may be off: pages turn
 * the payment on once the card is complete.
 */
export async function findPayControl(view: PageView, run: CheckoutRun): Promise<PayControl | null> {
  const { main } = view;
  const control = await payControlOf(view, run);
  if (control) return { ...control, element: () => main.element(control.index) };
  return await payControlInFrame(view, run);
}

async function payControlOf(view: PageView, { recipe }: CheckoutRun): Promise<PageControl | null> {
  const { main } = view;
  const pay = await findControl(main, "pay", recipe);
  if (pay) return pay;
  const hasCard = await showsCardNumber(view);
  const off = hasCard ? payControlThatIsOff(main) : null;
  if (off) return (await findControl(main, "continue", recipe)) ?? off;
  const submit = submitOfForm(main);
  if (submit || !hasCard) return submit;
  return (await findControl(main, "continue", recipe)) ?? bareOrderControlOf(main);
}

/**
 * Returns the control of a processor's frame that contains the whole payment form. The frame must state the page's total, because a
 * frame of another seller's account at the same processor could not.
 */
async function payControlInFrame(
  view: PageView,
  { merchantOrigins, session }: CheckoutRun,
): Promise<PayControl | null> {
  const { currency } = session.job;
  const total = totalOf(view, currency, ({ url }) => merchantOrigins.has(url));
  const requesting = view.inner.filter(requestsCardNumber);
  const visible = await Promise.all(requesting.map(({ frame }) => isFrameVisible(frame)));
  const [inner, second] = requesting.filter((_, index) => visible[index]);
  if (!inner || second || total === null) return null;
  const stated = totalOf({ ...view, main: inner, inner: [] }, currency, () => true);
  if (stated?.amountMinor !== total.amountMinor || stated.currency !== total.currency) return null;
  const control = (await findControl(inner, "pay", null)) ?? payControlThatIsOff(inner) ?? submitOfForm(inner);
  return control && inFrame(inner, control);
}

const inFrame = (inner: FrameView, control: PageControl): PayControl => ({
  ...control,
  element: () => inner.element(control.index),
});
