/** The payment page: its control that sends the card, and its card fields. */
import { findCardFields } from "./card-receivers.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { findControl, submitOfForm } from "./controls.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { hasCardNumber } from "./next-control.ts";
import type { PageView } from "./page-snapshot.ts";
import { totalOf } from "./total.ts";

/** The payment page with all fields filled in except the card's. */
export interface PaymentPage {
  readonly view: PageView;
  /** The merchant's origins and, on a hosted payment page, that of the processor. */
  readonly origins: MerchantOrigins;
  readonly pay: PageControl;
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
  const { fields, objection } = await findCardFields(view, await view.main.element(pay.index), run);
  // A pinned frame may load later than others, which are ignored.
  const isPinned = session.job.cardEntry.frameOrigins !== null;
  if (objection !== null && !isPinned) throw new CheckoutEndedError("missing_field", objection);
  return fields.length > 0 ? { view, pay, origins } : null;
}

/** Returns the control that sends the card: the payment, or the step before a review of the order. */
export async function findPayControl(view: PageView, { recipe }: CheckoutRun): Promise<PageControl | null> {
  const { main } = view;
  const known = (await findControl(main, "pay", recipe)) ?? submitOfForm(main);
  return known ?? (hasCardNumber(view) ? await findControl(main, "continue", recipe) : null);
}
