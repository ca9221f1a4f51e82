/**
 * Finds the review of an order that follows the card: the first control stored the card, and a control of the review places
 * the order.
 */
import type { ElementHandle } from "playwright-core";
import type { Money } from "../../checkout/money.ts";
import { findChallenge } from "./bank-challenge.ts";
import type { PinnedOrigins } from "./card-fields.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { isConfirmation, readConfirmation } from "./confirmation.ts";
import { isPayText } from "./controls.ts";
import type { PageControl } from "./document-view.ts";
import { fillForm } from "./fill-form.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { hasCardNumber } from "./next-control.ts";
import { documentsOf, type PageView, snapshotPage } from "./page-snapshot.ts";
import type { PayGate } from "./pay-gate.ts";
import { readPermittedTotal } from "./permitted-total.ts";
import { findDialogControl, findPlaceControl, placesOrder } from "./place-control.ts";

interface Review {
  readonly view: PageView;
  readonly control: PageControl;
  readonly element: ElementHandle<HTMLElement>;
  /** Whether the first press stored the card, so that this control pays in addition. False if it continues the first press. */
  readonly isStored: boolean;
}

const POLL_INTERVAL_MS = 120;
const SNAPSHOT_MS = 1_500;

/**
 * Returns the review, or null if the pressed control pays itself or no review appears. A control named after the payment leads to
 * none. A second press could pay again, for example on a form that is shown again after an error. Only a dialog that requests a
 * second confirmation may follow it, before anything was sent.
 * @param pressed the pressed control, the page that showed it and its total
 */
export async function awaitReview(
  run: CheckoutRun,
  pressed: {
    readonly gate: PayGate;
    readonly control: PageControl;
    readonly shown: PageView;
    readonly total: Money;
    readonly pins: PinnedOrigins;
  },
): Promise<Review | null> {
  const { session, navigation, merchantOrigins, recipe, values, attempts } = run;
  const { gate, control, shown, total, pins } = pressed;
  const isPay = isPayText(control.text);
  const { outcomeMs, unsentMs } = navigation.timing;
  const pressedAtMs = performance.now();
  const untilMs = pressedAtMs + outcomeMs;
  while (performance.now() < untilMs && !gate.isLost && !session.signal.aborted) {
    if (gate.failure) throw gate.failure;
    const { hasLeft, sent } = gate;
    const sentCount = sent.length;
    const view = await snapshotPage(navigation.page, SNAPSHOT_MS).catch(() => null);
    // The view may be older than what has left since.
    if (sent.length !== sentCount) continue;
    const isPending = gate.sent.some(({ state }) => state === "sent");
    if (view && !isPending && view.main.isComplete) {
      const isElsewhere = !merchantOrigins.has(view.main.url) || findChallenge(view, merchantOrigins, pins) !== null;
      if (isElsewhere || isConfirmed(view, total.currency, merchantOrigins) || hasAlert(view, shown)) return null;
      // A control that is named after the payment may open a dialog that requests a second confirmation. What it sent pays.
      if (isPay && (gate.hasLeft || gate.isCommitting)) return null;
      const hasCard = hasCardNumber(view);
      const place = isPay
        ? await findDialogControl(view, { shown, recipe })
        : hasCard && !isMerchantUnpaid(gate, pins)
          ? null
          : await findPlaceControl(view, { shown: hasCard ? shown : null, recipe });
      // The control may be off until the terms are accepted.
      if (
        !isPay &&
        (place || (!hasCard && view.main.controls.some(({ text, disabled }) => disabled && isPayText(text))))
      ) {
        const filled = await fillForm(view.main, { values, billing: null, recipe, attempts });
        if (filled.length > 0) continue;
      }
      if (place) {
        await session.step("Review the order", { outcome: view.main.title, screenshot: true });
        const reviewed = readPermittedTotal(run, view);
        const element = await view.main.element(place.index);
        const isSame = reviewed.amountMinor === total.amountMinor && reviewed.currency === total.currency;
        // The first press may pay with a delay. A control that the page showed before may not pay again.
        const hasPaid = sent.length !== sentCount || (isPay && (gate.hasLeft || gate.isCommitting));
        return isSame && element && !hasPaid ? { view, control: place, element, isStored: hasLeft && !isPay } : null;
      }
    }
    if (!gate.hasLeft && performance.now() > pressedAtMs + unsentMs) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return null;
}

/** A review may thank, too. It states no order number, and its control places the order. */
function isConfirmed(view: PageView, currency: string, merchantOrigins: MerchantOrigins): boolean {
  if (!isConfirmation(view)) return false;
  const isReview = view.main.controls.some((control) => placesOrder(control));
  return !isReview || readConfirmation(view, currency, ({ url }) => merchantOrigins.has(url)) !== null;
}

function hasAlert(view: PageView, shown: PageView): boolean {
  const known = new Set(documentsOf(shown).flatMap(({ alerts }) => alerts));
  return documentsOf(view).some(({ alerts }) => alerts.some((alert) => !known.has(alert)));
}

/** Whether no request with the card or a token reached the merchant, and processors accepted what they received. */
function isMerchantUnpaid({ sent }: PayGate, pins: PinnedOrigins): boolean {
  return sent.every(({ url, httpStatus }) => pins.has(new URL(url).origin) && httpStatus !== null && httpStatus < 400);
}
