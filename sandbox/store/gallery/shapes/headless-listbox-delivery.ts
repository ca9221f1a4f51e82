import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Headless UI: the delivery is a listbox button whose options exist only while it is open, and the card opens with a button.",
  source: "https://headlessui.com/react/listbox",
  pages: [
    {
      path: "/checkout/details",
      step: "payment",
      content: (view) => html`<h1>Checkout</h1><div id="form">${address(view, { required: ["phone"] })}
        <div class="field"><label id="delivery-label">Shipping speed</label><button type="button" id="delivery" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="delivery-label delivery">Choose a shipping speed</button></div><input type="hidden" name="delivery" value="">
        <h2>Payment</h2><div id="saved"><p>No payment method yet.</p><button type="button" id="add">Add a card</button></div><div id="fields" hidden>${separateFrames(view)}</div></div>
        ${totals(view)}<p><button type="button" id="place" disabled>Order and pay</button></p>
        ${script(`const options = ${JSON.stringify(deliveryOptions(view).map(({ code, title, price }) => [code, `${title} — ${price}`]))};
          const box = document.getElementById("delivery");
          const update = () => { document.getElementById("place").disabled = document.querySelector("[name=delivery]").value === "" || document.getElementById("fields").hidden; };
          box.addEventListener("click", () => {
            const open = document.getElementById("options");
            if (open) { open.remove(); box.setAttribute("aria-expanded", "false"); return; }
            const list = document.createElement("ul");
            list.id = "options";
            list.setAttribute("role", "listbox");
            for (const [code, text] of options) {
              const option = document.createElement("li");
              option.setAttribute("role", "option");
              option.setAttribute("aria-selected", "false");
              option.textContent = text;
              option.addEventListener("click", () => {
                box.textContent = text;
                document.querySelector("[name=delivery]").value = code;
                box.removeAttribute("aria-controls");
                box.setAttribute("aria-expanded", "false");
                list.remove();
                update();
              });
              list.append(option);
            }
            box.after(list);
            box.setAttribute("aria-controls", "options");
            box.setAttribute("aria-expanded", "true");
          });
          document.getElementById("add").addEventListener("click", () => {
            document.getElementById("saved").hidden = true;
            document.getElementById("fields").hidden = false;
            setTimeout(update, 300);
          });`)}
        ${onPress(
          "#place",
          `const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/api/order", { ...gallery.fieldsOf(document.getElementById("form")), payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/order/complete";`,
        )}`,
    },
  ],
  confirmationPath: "/order/complete",
  endpoints: [
    endpoint("POST", "/api/order", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ order: paid.orderNumber });
    }),
  ],
};
