/** Confirmation pages as platforms write them, in several languages. */
import { expect, it } from "vitest";
import { isConfirmation, readConfirmation } from "../../src/worker/checkout/confirmation.ts";
import type { PageView } from "../../src/worker/checkout/page-snapshot.ts";

function createPage(heading: string, text: string): PageView {
  const main = {
    url: "https://store.example/thanks",
    title: "",
    headings: [heading],
    totals: ["Total £31.40"],
    text,
    controls: [],
  };
  return { main, inner: [] } as unknown as PageView;
}

it.each([
  ["Shopify", "Thank you, Ada!", "Confirmation #XKPLMNQRS", "XKPLMNQRS"],
  ["Shopify with a number", "Your order is confirmed", "Order #1001", "1001"],
  ["WooCommerce", "Order received", "Thank you. Your order has been received.\nOrder number: 1234", "1234"],
  ["Magento", "Thank you for your purchase!", "Your order number is: 000000123.", "000000123"],
  ["BigCommerce", "Thank you Ada!", "Your order number is 1052", "1052"],
  ["PrestaShop", "Votre commande est confirmée", "Référence de la commande : XKBKNABJK", "XKBKNABJK"],
  ["Shopware", "Vielen Dank für Ihre Bestellung", "Ihre Bestellnummer: 10025", "10025"],
  ["Spree", "Order placed successfully", "Order Number R123456789", "R123456789"],
  ["Squarespace", "Order confirmed", "Order #00012", "00012"],
  ["Stripe's payment links", "Payment successful", "Invoice number: 5F2A-0007", "5F2A-0007"],
  [
    "osCommerce",
    "Your Order Has Been Processed!",
    "Your order has been successfully processed! Order number: 17",
    "17",
  ],
  ["a German shop", "Ihre Bestellung Nr. 10025 wurde erfolgreich aufgegeben", "Bestellnummer: 10025", "10025"],
  ["French", "Merci pour votre commande", "Numéro de commande : FR-1001", "FR-1001"],
  ["Spanish", "Hemos recibido tu pedido", "Número de pedido: 2044", "2044"],
  ["Italian", "Il tuo ordine è confermato", "Ordine numero: IT-77", "IT-77"],
  ["Dutch", "Je bestelling is geplaatst", "Bestelnummer: NL1001", "NL1001"],
  ["Polish", "Dziękujemy za zakupy", "Numer zamówienia: PL/1001", "PL/1001"],
  ["Swedish", "Tack för din beställning!", "Ordernummer: 5512", "5512"],
  ["Norwegian", "Takk for bestillingen!", "Ordrenummer: 5513", "5513"],
  ["Portuguese", "Obrigado pela compra", "Pedido nº: 9001", "9001"],
  ["Japanese", "ご注文ありがとうございます", "注文番号: 1001-77", "1001-77"],
])("reads the confirmation of %s", (_platform, heading, text, orderNumber) => {
  const page = createPage(heading, `${heading}\n${text}`);
  expect(isConfirmation(page)).toBe(true);
  expect(readConfirmation(page, "GBP", () => true)).toMatchObject({ orderNumber, amountChargedMinor: 3_140 });
});

it.each(["Review your order", "Commande en cours", "Zur Kasse", "Your cart", "Tack vare våra kunder"])(
  "does not treat %s as a confirmation",
  (heading) => {
    expect(isConfirmation(createPage(heading, heading))).toBe(false);
  },
);
