import { html } from "../../../mail/html.ts";
import { typedCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { form } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July"].concat(
  ...["August", "September", "October", "November", "December"],
);
const button = (text: string) =>
  html`<p><input type="image" src="/button.svg" alt="${text}" title=" ${text} " width="120" height="30"></p>`;

export const shape: Shape = {
  title:
    "osCommerce: image buttons, prices beside their radio buttons, a required card type, months by name, and a confirmation without a total.",
  source: "https://github.com/osCommerce/oscommerce2/tree/master/catalog/includes/modules/payment",
  cart: (view) => html`<h1>What's In My Cart?</h1>
    <table><tr><td><input type="text" name="cart_quantity[]" value="${String(view.order.quantity)}" size="4"> Enamel mug</td><td>${view.money(view.subtotalMinor)}</td></tr></table>
    <p><a href="/"><img src="/button.svg" alt="Continue Shopping" width="120" height="30"></a> <a href="/checkout_shipping.php"><img src="/button.svg" alt="Checkout" title=" Checkout " width="120" height="30"></a></p>`,
  cartPath: "/shopping_cart.php",
  pages: [
    {
      path: "/checkout_shipping.php",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Guest Details</h1>${address(view, { hasAutocomplete: false, required: ["phone"], names: { firstName: "firstname", lastName: "lastname", email: "email_address", address1: "street_address", address2: "suburb", phone: "telephone" }, labels: { address1: "Street Address:", address2: "Suburb:", email: "E-Mail Address:", phone: "Telephone Number:" } })} ${subtotals(view)} ${button("Continue")}`,
        ),
    },
    {
      path: "/checkout_shipping_method.php",
      step: "delivery",
      content: (view) =>
        form(
          html`<h1>Delivery Information</h1><h2>Shipping Method</h2><p>Please select the preferred shipping method to use on this order.</p><table>${deliveryOptions(view).map(({ code, title, price }) => html`<tr><td><input type="radio" name="delivery" value="${code}"></td><td>${title}</td><td>${price}</td></tr>`)}</table><h2>Add Comments About Your Order</h2><textarea name="comments"></textarea>${button("Continue")}`,
        ),
    },
    {
      path: "/checkout_payment.php",
      step: "payment",
      content: (view) =>
        form(
          html`<h1>Payment Information</h1><table><tr><td>Credit Card</td><td><input type="radio" name="payment" value="cc" checked></td></tr><tr><td>Check/Money Order</td><td><input type="radio" name="payment" value="moneyorder"></td></tr></table>
          <table>
            <tr><td>Credit Card Type:</td><td><select name="cc_type" required><option value="">Please select</option><option value="MasterCard">Master Card</option><option value="Visa">Visa</option><option value="Amex">American Express</option></select></td></tr>
            <tr><td>Credit Card Owner:</td><td><input name="card_owner" required></td></tr>
            <tr><td>Credit Card Number:</td><td><input name="card_number" required></td></tr>
            <tr><td>Credit Card Expiry Date:</td><td><select name="card_expires_month">${MONTHS.map((month) => html`<option value="${month}">${month}</option>`)}</select>&nbsp;<select name="card_expires_year">${Array.from({ length: 10 }, (_, index) => html`<option>${String(new Date().getUTCFullYear() + index)}</option>`)}</select></td></tr>
            <tr><td>Security Code:</td><td><input name="card_code" size="5" required></td></tr>
          </table>${totals(view)} ${button("Continue")}`,
        ),
      next: (view, body) => {
        const month = String(MONTHS.indexOf(body["card_expires_month"] ?? "") + 1).padStart(2, "0");
        const expiry = { card_month: month, card_year: body["card_expires_year"] ?? "" };
        view.order.card = body["cc_type"] === "Visa" ? typedCard(view, { ...body, ...expiry }) : null;
        return "/checkout_confirmation.php";
      },
    },
    {
      path: "/checkout_confirmation.php",
      step: "payment",
      readCard: (view) => view.order.card,
      content: (view) => form(html`<h1>Order Confirmation</h1>${totals(view)} ${button("Confirm Order")}`),
    },
  ],
  confirmationPath: "/checkout_success.php",
  confirmation: (_view, orderNumber) => html`<h1>Your Order Has Been Processed!</h1>
    <p>Your order has been successfully processed! Your products will arrive at their destination within 2-5 working days.</p><p>Your order number is <strong>${orderNumber}</strong>.</p><h3>Thanks for shopping with us online!</h3>`,
};
