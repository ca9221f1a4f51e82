/** What a page says is to be paid, or was. */
import type { Money } from "../../checkout/money.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { moneyIn } from "./read-money.ts";

const PAY_BUTTON = /\bpay\b|bezahlen|payer|pagar|\bpaga\b|betaal/i;

/**
 * The highest of all amounts in the rows that the page calls a total, and on the button that pays: what is approved shall hold
 * for each of them, and a row names the tax that is in it beside what is paid. An amount of another currency than the order's
 * comes back as such. Null when none can be read.
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
