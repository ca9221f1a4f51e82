import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Checkout.com Frames: three frames with labels outside; the button enables itself once they are filled.",
  source:
    "https://www.checkout.com/docs/payments/accept-payments/accept-a-payment-on-your-website/accept-payments-using-frames",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section("Delivery address", address(view))} ${section("Delivery", deliveryRadios(view))} ${section("Card", separateFrames(view))} ${totals(view)} ${button(`PAY ${view.money(view.totalMinor)}`, "id=pay disabled")}
        ${script(`const check = setInterval(async () => { try { await gallery.askFrame("tokenise"); document.getElementById("pay").disabled = false; clearInterval(check); } catch {} }, 500);`)}`),
    },
  ],
};
