/** Reads the order number and the charged amount from the merchant's confirmation page. */
import type { DriveResult } from "../session.ts";
import type { FrameView, PageView } from "./page-snapshot.ts";
import { totalOf } from "./total.ts";

export type Confirmation = NonNullable<DriveResult["confirmation"]>;

const CONFIRMED =
  /thank(?:s| you)\b|order (?:is |has been |was )?(?:confirmed|complete|received|placed)|your order\b.{0,40}\b(?:is|has been|was) (?:confirmed|complete|received|placed)|we(?:'|’)?(?:ve| have) (?:received|got) your order|purchase (?:is )?complete|(?:vielen )?dank(?:e)? für|bestellung (?:ist |wurde )?(?:eingegangen|bestätigt|aufgegeben)|merci (?:pour|de)|commande (?:est |a été )?(?:confirmée|enregistrée|reçue)|gracias por|pedido (?:ha sido )?(?:confirmado|realizado|recibido)|grazie per|ordine (?:è stato )?(?:confermato|ricevuto)|bedankt voor|ご注文ありがとう|注文(?:が|を)?(?:完了|受け付け)/i;
const NUMBER_WORDS =
  "order|confirmation|reference|receipt|bestell(?:ung|nummer)?|auftrag(?:snummer)?|commande|pedido|ordine|bestelling|注文(?:番号)?";
const NUMBER_FORM = String.raw`(?:number|no|nr|num|id|code|nummer|numéro|número|numero|n°|番号)?\s*(?:is|ist|est|es|è)?\s*[.:#：]*\s*`;
/** Order numbers follow a number sign or a caption and contain a digit. */
const NUMBERS: readonly RegExp[] = [
  new RegExp(String.raw`(?:${NUMBER_WORDS})\s*${NUMBER_FORM}[#№]\s*([A-Z0-9][\w-]{0,40})`, "iu"),
  new RegExp(
    String.raw`(?:${NUMBER_WORDS})\s*(?:number|no\b|nr\b|num|id|code|nummer|numéro|número|numero|n°|番号|reference)\s*\.?\s*(?:is|ist|est|es|è)?\s*[:#：]*\s*([A-Z0-9][\w-]{0,40})`,
    "iu",
  ),
  new RegExp(String.raw`(?:${NUMBER_WORDS})\s*[:：]?\s+([A-Z]{0,6}-?\d[\w-]{2,40})`, "iu"),
  /[#№]\s*([A-Z]{0,6}-?\d[\w-]{2,40})/u,
];

/** Whether the page confirms an order. The number and the total may appear later. */
export function isConfirmation({ main }: PageView): boolean {
  return CONFIRMED.test([main.title, ...main.headings, main.text.slice(0, 3_000)].join("\n"));
}

/** Returns null while the order number, the total or its currency cannot be read. */
export function readConfirmation(
  view: PageView,
  currency: string,
  isOfMerchant: (document: FrameView) => boolean,
): Confirmation | null {
  const orderNumber = numberOf(view.main);
  const charged = totalOf(view, currency, isOfMerchant);
  if (orderNumber === null || charged === null) return null;
  return {
    orderNumber,
    amountChargedMinor: charged.amountMinor,
    currency: charged.currency,
    url: view.main.url.length <= 2_048 ? view.main.url : null,
  };
}

function numberOf({ text, title, headings }: FrameView): string | null {
  const visibleText = [...headings, title, text].join("\n");
  for (const form of NUMBERS) {
    const number = [...visibleText.matchAll(new RegExp(form.source, `${form.flags}g`))]
      .map(([, found = ""]) => found.replace(/[-_]+$/, ""))
      .find((found) => /\d/.test(found) && !isCardLike(found));
    if (number !== undefined) return number;
  }
  return null;
}

const isCardLike = (text: string) => /^\d{12,19}$/.test(text.replaceAll(/\D/g, "")) && /^[\d -]+$/.test(text);
