/** Reads the total of an order from a page. */
import type { Money } from "../../checkout/money.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { moneyIn } from "./read-money.ts";

const PAY_BUTTON =
  /\bpay\b|place (?:your |my |the )?order|bezahlen|bestellen|payer|commander|pagar|\bpaga\b|betaal|betalen|zapłać|kupuję|betala|betal\b|支払|注文/i;
const INSTALMENTS =
  /instal+ment|monthly|\bin \d\b|raten\b|\d ?[x×] ?(?:sans frais)?|cuotas|rate\b|termijnen|klarna|afterpay|paypal/i;
/** An amount that is stated as approximate, for information in another currency. */
const APPROXIMATE =
  /(?:[≈~]|\b(?:approx(?:imately)?\.?|about|around|ca\.|circa|environ|etwa|rund|ongeveer|około|aproximadamente)(?!\w))[^\d]{0,12}\d[\d.,'’\u00a0\u202f ]*(?:\s?(?:[A-Z]{3}\b|\p{Sc}))?/giu;

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
      ...controls.map(({ text }) => text).filter((text) => PAY_BUTTON.test(text) && !INSTALMENTS.test(text)),
    ])
    .flatMap((text) => moneyIn(withoutConversions(text, currency), currency));
  const foreign = amounts.find((amount) => amount.currency !== currency);
  return foreign ?? amounts.toSorted((one, other) => other.amountMinor - one.amountMinor)[0] ?? null;
}

/** Removes amounts of other currencies that are stated as approximate. */
function withoutConversions(text: string, currency: string): string {
  return text.replaceAll(APPROXIMATE, (part) =>
    moneyIn(part, currency).every((amount) => amount.currency !== currency) ? " " : part,
  );
}

/** Labels of tax in the languages of the total's. */
const TAX = /\b(?:tax(?:es)?|vat|gst|hst|mwst|mehrwertsteuer|ust|tva|iva|btw|moms|podatek)\b\.?/gi;
const AMOUNT_AFTER_LABEL = /^\D{0,40}[\d.,'\u00a0\u202f]+/;

/** Returns the tax that the page states, in minor units of `currency`. Null if it states none, or different amounts. */
export function taxOf(view: PageView, currency: string, isOfMerchant: (document: FrameView) => boolean): number | null {
  const amounts = documentsOf(view)
    .filter(isOfMerchant)
    .flatMap(({ text }) => [...text.matchAll(TAX)].map(({ index, 0: label }) => text.slice(index + label.length)))
    .flatMap((rest) => {
      const near = AMOUNT_AFTER_LABEL.exec(rest)?.[0] ?? "";
      // A percentage is no amount.
      return rest.slice(near.length).trimStart().startsWith("%") ? [] : moneyIn(near, currency);
    })
    .filter((amount) => amount.currency === currency)
    .map(({ amountMinor }) => amountMinor);
  const distinct = [...new Set(amounts)];
  return distinct.length === 1 ? (distinct[0] ?? null) : null;
}
