import { html } from "../../../mail/html.ts";
import { oneFrame } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Square: one frame, and a payment with an idempotency key that is sent again with the same key after two seconds.",
  source: "https://developer.squareup.com/docs/payments-api/take-payments/card-payments",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<form id="checkout">${section("Delivery", address(view), deliveryRadios(view))} ${section("Card", oneFrame(view, ["number", "expiry", "code", "postcode"]))} ${totals(view)} ${button(`Pay ${view.money(view.totalMinor)}`)}</form>
        ${onPress(
          "#checkout",
          `const sourceId = await gallery.askFrame("tokenise");
           const body = { ...gallery.fieldsOf(), locationId: "L1", sourceId, idempotencyKey: crypto.randomUUID() };
           const attempt = () => gallery.send("/payments", body);
           const patience = new Promise((resolve) => setTimeout(() => resolve(attempt()), 2000));
           const { ok, json } = await Promise.race([attempt(), patience]);
           if (!ok) throw new Error(json.errors[0].detail);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/payments", "payment", ({ view, body, response, pay }) => {
      const paid = pay(view.processor.redeem(body.sourceId), body.idempotencyKey);
      const respond = () => {
        if ("error" in paid) response.status(402).json({ errors: [{ detail: paid.error }] });
        else response.json({ payment: { status: "COMPLETED" } });
      };
      setTimeout(respond, 3_000);
    }),
  ],
};
