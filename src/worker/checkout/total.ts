/** Reads the total of an order from a page. */
import type { Money } from "../../checkout/money.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { moneyIn } from "./read-money.ts";

const PAY_BUTTON = /\bpay\b|bezahlen|payer|pagar|\bpaga\b|betaal/i;

/**
 * Returns the highest amount in the rows labelled as a total and on the pay button. The highest counts, because the approval
 * must cover each of them and a total row may also state the included tax. An amount in a currency other than the order's is
 * returned first. Null if no amount can be read.
 */
export function totalOf(
  view: PageView,
  currency: string,
  isOfMerchant: (document: FrameView) => boolean,
): Money | null {
  const amounts = documentsOf(view)
    .filter(isOfMerchant)
    .flatMap(({ totals, controls }) => [
      ...totals,
      ...controls.map(({ text }) => text).filter((text) => PAY_BUTTON.test(text)),
    ])
    .flatMap((text) => moneyIn(text, currency));
  const foreign = amounts.find((amount) => amount.currency !== currency);
  return foreign ?? amounts.toSorted((one, other) => other.amountMinor - one.amountMinor)[0] ?? null;
}
