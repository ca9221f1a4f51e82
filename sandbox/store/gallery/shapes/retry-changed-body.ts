import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "The page sends the payment again after two seconds without a response, with an attempt number in body and query.",
  source: "https://docs.stripe.com/error-low-level#network-errors",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<form id="checkout">${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}</form>
        ${onPress(
          "#checkout",
          `const attempt = (number) => gallery.send("/api/pay?attempt=" + number, { ...gallery.fieldsOf(), attempt: number, ...(number > 1 ? { retry: true } : {}) });
           const later = new Promise((resolve) => setTimeout(() => resolve(attempt(2)), 2000));
           const { ok, json } = await Promise.race([attempt(1), later.catch(() => new Promise(() => {}))]);
           if (!ok) throw new Error(json?.error ?? "Please try again.");
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/pay", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      setTimeout(() => response.status("error" in paid ? 402 : 200).json(paid), 3_500);
    }),
  ],
};
