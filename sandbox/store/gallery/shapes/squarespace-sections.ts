import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { payButton, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Squarespace: numbered sections with “Continue”, a card frame, and a button that is off until all are complete.",
  source: "https://support.squarespace.com/hc/en-us/articles/206541027-How-customers-buy-your-products",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<h1>Checkout</h1>
        <section id="s1"><h2>1. Your Email</h2><div>${address(view, { only: ["email"] })}${checkbox("subscribe", "Subscribe to our newsletter")}<button type="button" data-next="s2">Continue</button></div></section>
        <section id="s2"><h2>2. Delivery Address</h2><div hidden>${address(view, { without: ["email", "company"], required: ["phone"], labels: { address1: "Address 1", address2: "Address 2", phone: "Phone Number", postcode: "Post Code" } })}<button type="button" data-next="s3">Continue</button></div></section>
        <section id="s3"><h2>3. Delivery Options</h2><div hidden>${deliveryRadios(view)}<button type="button" data-next="s4">Continue</button></div></section>
        <section id="s4"><h2>4. Payment</h2><div hidden>${oneFrame(view)}<p>Billing Address: <label><input type="checkbox" checked name="same"> Use delivery address</label></p><button type="button" data-next="s5">Continue</button></div></section>
        <section id="s5"><h2>Order Summary</h2>${totals(view)}${payButton(
          "PURCHASE",
          `const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/api/2/commerce/orders", { ...gallery.fieldsOf(), payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}</section>
        ${script(`document.getElementById("pay").disabled = true;
          document.querySelectorAll("[data-next]").forEach((next) => next.addEventListener("click", () => {
            const part = next.parentElement;
            if (![...part.querySelectorAll("input, select")].every((control) => control.reportValidity())) return;
            part.hidden = next.dataset.next !== "s5";
            const following = document.querySelector("#" + next.dataset.next + " > div");
            if (following) following.hidden = false;
            if (next.dataset.next === "s5") { next.remove(); document.getElementById("pay").disabled = false; }
          }));`)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/2/commerce/orders", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ id: paid.orderNumber });
    }),
  ],
};
