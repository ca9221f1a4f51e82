import { html } from "../../../mail/html.ts";
import { oneFrame } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { payButton, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Saleor's storefront: fields save themselves through GraphQL mutations; completion is a mutation without a card.",
  source: "https://github.com/saleor/storefront/tree/main/src/checkout",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<div id="checkout">${section("Contact details", address(view, { only: ["email"] }), html`<p><label><input type="checkbox" name="createAccount"> Create account</label></p>`)}
        ${section("Shipping address", address(view, { without: ["email"], names: { address1: "streetAddress1", address2: "streetAddress2", postcode: "postalCode", company: "companyName" } }), html`<p><label><input type="checkbox" checked> Use shipping address as billing address</label></p>`)}
        ${section("Delivery methods", deliveryRadios(view, false))} ${section("Payment", oneFrame(view))} ${totals(view)}
        ${payButton(
          "Pay now",
          `if (![...document.querySelectorAll("#checkout input, #checkout select")].every((control) => control.reportValidity())) return;
           const data = await gallery.askFrame("tokenise");
           const created = await gallery.send("/graphql/", { operationName: "transactionInitialize", variables: { paymentGateway: { data: { payment_token: data } } } });
           if (created.json.data.errors) throw new Error(created.json.data.errors[0].message);
           const { json } = await gallery.send("/graphql/", { operationName: "checkoutComplete", variables: { checkoutId: gallery.settings.orderId } });
           if (json.data.errors) throw new Error(json.data.errors[0].message);
           location.href = "/thanks";`,
        )}</div>
        ${script(`document.getElementById("checkout").addEventListener("change", () => gallery.send("/graphql/", { operationName: "checkoutShippingAddressUpdate", variables: gallery.fieldsOf() }));`)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/graphql/", "payment", ({ view, body, response, pay }) => {
      if (body.operationName === "transactionInitialize")
        view.order.card = view.processor.redeem(body.variables.paymentGateway.data.payment_token);
      const paid = body.operationName === "checkoutComplete" ? pay(view.order.card) : null;
      response.json({ data: paid && "error" in paid ? { errors: [{ message: paid.error }] } : { ok: true } });
    }),
  ],
};
