/** Reads the order number and the charged amount from the merchant's confirmation page. */
import type { Money } from "../../checkout/money.ts";
import type { DriveResult } from "../session.ts";
import type { FrameView, PageView } from "./page-snapshot.ts";
import { totalOf } from "./total.ts";

export type Confirmation = NonNullable<DriveResult["confirmation"]>;

const CONFIRMED = new RegExp(
  [
    String.raw`thank(?:s| you)\b|order (?:is |has been |was )?(?:successfully )?(?:confirmed|complete|received|placed)|your order\b.{0,40}\b(?:is|has been|was) (?:successfully )?(?:confirmed|complete|received|placed)|order (?:has been|was) (?:successfully )?processed|we(?:'|’)?(?:ve| have) (?:received|got) your order|purchase (?:is )?complete|payment (?:is |was |has been )?(?:successful|complete|received|accepted)|(?:order|checkout) (?:was |is )?successful`,
    "(?:vielen )?dank(?:e)? für|bestellung (?:(?:[^!?]{0,30} )?(?:ist|wurde) )?(?:erfolgreich )?(?:eingegangen|bestätigt|aufgegeben|abgeschlossen)",
    "merci (?:pour|de)|commande (?:est |a (?:bien )?été )?(?:confirmée|enregistrée|reçue|validée)",
    "gracias por|pedido (?:ha sido |se ha )?(?:confirmado|realizado|recibido)|hemos recibido (?:tu|su) pedido",
    "grazie per|ordine (?:è (?:stato )?)?(?:confermato|ricevuto|inviato)",
    "bedankt voor|bestelling (?:is )?(?:geplaatst|ontvangen|bevestigd)",
    "dziękujemy za|zamówienie (?:zostało )?(?:złożone|przyjęte|potwierdzone)",
    "tack för (?:din|ditt)|beställning(?:en)? är (?:mottagen|bekräftad|lagd)|takk? for (?:din|ditt|bestill)|ordren er (?:modtaget|mottatt|bekræftet|bekreftet)|kiitos tilaukses",
    "obrigad[oa] (?:pela|por)|pedido (?:foi )?(?:recebido)|děkujeme za",
    "ご(?:注文|購入)(?:いただき)?ありがとう|注文(?:が|を)?(?:完了|確定しました|受け付け)",
  ].join("|"),
  "i",
);
const NUMBER_WORDS =
  "order|confirmation|reference|receipt|invoice|bestell(?:ung|nummer)?|auftrag(?:snummer)?|commande|pedido|ordine|bestelling|zamówieni[ea]|zamówienia nr|beställning|ordre|tilaus|encomenda|objednávk[ay]|référence|referencia|riferimento|referentie|注文(?:番号)?";
/** References without digits count only in capitals after a caption, as PrestaShop and Shopify show them. */
const CHARACTERS =
  /(?:[Rr]eference|[Rr]éférence|[Rr]eferencia|[Rr]iferimento|[Rr]eferenz|[Rr]eferentie|[Cc]onfirmation|[Oo]rder [Cc]ode)[^\n:：#]{0,30}[:：#]\s*([A-Z]{6,12})(?![\p{L}\d])/u;
const NUMBER_FORM = String.raw`(?:number|no|nr|num|id|code|nummer|numéro|número|numero|numer|n°|番号)?\s*(?:is|ist|est|es|è)?\s*[.:#：]*\s*`;
/** Order numbers follow a number sign or a caption and contain a digit. */
const NUMBERS: readonly RegExp[] = [
  new RegExp(String.raw`(?:${NUMBER_WORDS})\s*${NUMBER_FORM}[#№]\s*([A-Z0-9][\w-]{0,40})`, "iu"),
  new RegExp(
    String.raw`(?:${NUMBER_WORDS})\s*(?:number|no\b|nr\b|num|id|code|nummer|numéro|número|numero|numer|n°|番号|reference)\s*\.?\s*(?:is|ist|est|es|è)?\s*[:#：]*\s*([A-Z0-9][\w-]{0,40})`,
    "iu",
  ),
  new RegExp(String.raw`(?:${NUMBER_WORDS})\s*[:：]?\s+([A-Z]{0,6}-?\d[\w-]{2,40})`, "iu"),
  /[#№]\s*([A-Z]{0,6}-?\d[\w-]{2,40})/u,
  /(?:order|ordre|bestell?|beställnings?|bestillings?|tilaus|ordine|pedido|encomenda|zamówieni[ae]|objednávk[ay])[ -]?(?:nummer|numero|numer|nr|nº|n°|no)?\.?\s*[:：#]\s*([A-Z0-9][\w/-]{2,40})/iu,
];

/** Whether the page confirms an order. The number and the total may appear later. */
export function isConfirmation({ main }: PageView): boolean {
  return CONFIRMED.test([main.title, ...main.headings, main.text.slice(0, 3_000)].join("\n"));
}

/**
 * Returns null while the order number, the total or its currency cannot be read.
 * @param otherwise total to use if the page states none
 */
export function readConfirmation(
  view: PageView,
  currency: string,
  isOfMerchant: (document: FrameView) => boolean,
  otherwise: Money | null = null,
): Confirmation | null {
  const orderNumber = numberOf(view.main);
  const charged = totalOf(view, currency, isOfMerchant) ?? otherwise;
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
  return CHARACTERS.exec(visibleText)?.[1] ?? null;
}

const isCardLike = (text: string) => /^\d{12,19}$/.test(text.replaceAll(/\D/g, "")) && /^[\d -]+$/.test(text);
