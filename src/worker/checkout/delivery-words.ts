/** Words of deliveries and payment methods, in the languages of merchants. */
export const PICKUP = /pick[ -]?up|collect|in[ -]store|abhol|retrait|\bretirer|recog|ritir|afhal|受け?取り?に|店舗/i;
export const SHIPPING =
  /\bship|deliver|\bsend|\bpost\b|courier|versand|liefer|livraison|expédi|envío|enviar|sped|bezorg|verzend|配送|発送/i;
export const DELIVERY = new RegExp(`${PICKUP.source}|${SHIPPING.source}|fulfil|zustell`, "i");
export const PAYMENT =
  /payment|paypal|klarna|credit card|debit card|apple ?pay|google ?pay|bank transfer|invoice|zahlung|kreditkarte|paiement|carte bancaire|\bpago\b|tarjeta|pagamento|betaal|支払/i;

/** A text with an amount. */
export const PRICED = /\d|\b(?:free|gratis|kostenlos|gratuit|gratuito|offert)\b|無料/i;

/** Whether a text contains the title of a delivery, apart from punctuation. */
export function containsTitle(text: string, title: string): boolean {
  const foldedTitle = folded(title);
  return foldedTitle !== "" && folded(text).includes(foldedTitle);
}

const folded = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
