import { html } from "../../../mail/html.ts";
import { DEAD_ORIGIN } from "../faults.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { deadTracker } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Analytics cannot be reached; the payment button first waits for them, then sends the payment by fetch.",
  source: "https://developer.mozilla.org/en-US/docs/Web/API/Navigator/sendBeacon",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<form id="checkout">${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}</form>
        ${onPress(
          "#checkout",
          `await fetch("${DEAD_ORIGIN}/purchase", { method: "POST", mode: "no-cors", body: "value=31.40" }).catch(() => {});
           await new Promise((resolve) => setTimeout(resolve, 300));
           const { ok, json } = await gallery.send("/api/pay", gallery.fieldsOf());
           if (!ok) throw new Error(json.error);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/pay", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      response.status("error" in paid ? 402 : 200).json(paid);
    }),
  ],
  deviations: [deadTracker],
};
