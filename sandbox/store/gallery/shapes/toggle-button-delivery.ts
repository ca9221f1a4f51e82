import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Delivery as toggle buttons, and a pay button that is off until the processor's frame reports that the card is complete.",
  source: "https://mui.com/material-ui/react-toggle-button/ and https://docs.stripe.com/js/element/events/on_change",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<form id="checkout" onsubmit="return false"><h2>Contact</h2>${address(view, { only: ["email"] })}
        <h2>Ship to</h2>${address(view, { without: ["email"] })}
        <h2>Delivery</h2><div role="group" aria-label="delivery speed">${deliveryOptions(view).map(
          ({ code, title, price }) =>
            html`<button type="button" class="toggle" aria-pressed="false" value="${code}"><span>${title}</span> <span>${price}</span></button>`,
        )}</div><input type="hidden" name="delivery" value="">
        <h2>Payment</h2>${oneFrame(view)} ${totals(view)}
        <p><button type="button" id="pay" disabled>Pay ${view.money(view.totalMinor)}</button></p></form>
        ${script(`document.querySelectorAll(".toggle").forEach((toggle) => toggle.addEventListener("click", () => {
            document.querySelectorAll(".toggle").forEach((one) => one.setAttribute("aria-pressed", String(one === toggle)));
            document.querySelector("[name=delivery]").value = toggle.value;
          }));
          const pay = document.getElementById("pay");
          let isComplete = false;
          const update = () => { pay.disabled = !isComplete || document.querySelector("[name=delivery]").value === ""; };
          document.addEventListener("click", update);
          addEventListener("message", ({ origin, data }) => {
            if (origin !== gallery.settings.processor || data?.event !== "change") return;
            isComplete = data.isComplete;
            setTimeout(update, 200);
          });`)}
        ${onPress(
          "#pay",
          `const { ok, json } = await gallery.send("/api/orders", { ...gallery.fieldsOf(), payment_token: await gallery.askFrame("tokenise") });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/orders", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ type: "order" });
    }),
  ],
};
