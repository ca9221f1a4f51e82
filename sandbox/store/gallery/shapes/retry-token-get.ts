import { html } from "../../../mail/html.ts";
import { oneFrame } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A token is charged by a GET with the token in the query, and the page repeats it once after a slow response.",
  source: "https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<form id="checkout">${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", oneFrame(view))} ${totals(view)} ${button("Pay now")}</form>
        ${onPress(
          "#checkout",
          `await gallery.send("/api/address", gallery.fieldsOf());
           const token = await gallery.askFrame("tokenise");
           const attempt = async () => (await fetch("/api/charge?token=" + token + "&at=" + Date.now())).ok;
           const later = new Promise((resolve) => setTimeout(() => resolve(attempt().catch(() => new Promise(() => {}))), 2000));
           if (!(await Promise.race([attempt(), later]))) throw new Error("Your card was declined.");
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/address", "address", ({ response }) => void response.json({ ok: true })),
    endpoint("GET", "/api/charge", "payment", ({ view, request, response, pay }) => {
      const paid = pay(view.processor.redeem(String(request.query["token"])));
      setTimeout(() => response.status("error" in paid ? 402 : 200).json(paid), 3_500);
    }),
  ],
};
