/** A checkout that requires a date of birth and a delivery note: the owner and the agent are asked, and the order is paid once. */
import { expect, it, vi } from "vitest";
import { html } from "../../../sandbox/mail/html.ts";
import { cardFields, typedCard } from "../../../sandbox/store/gallery/markup/card.ts";
import { deliveryRadios } from "../../../sandbox/store/gallery/markup/delivery.ts";
import { address } from "../../../sandbox/store/gallery/markup/fields.ts";
import { button, form, section } from "../../../sandbox/store/gallery/markup/layout.ts";
import { totals } from "../../../sandbox/store/gallery/markup/totals.ts";
import type { Shape } from "../../../sandbox/store/gallery/shape.ts";
import { runCases } from "../gallery/run.ts";

vi.setConfig({ testTimeout: 240_000 });

const shape: Shape = {
  title: "One page that requires a date of birth and a note to the carrier.",
  source: "https://developer.mozilla.org/en-US/docs/Web/HTML/Element/input/date",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: (view, body) => (body["dob"] === "1990-12-10" && body["note"] === "12" ? typedCard(view, body) : null),
      content: (view) =>
        form(html`<h1>Checkout</h1>
          ${section("Contact and delivery address", address(view))}
          <p><label>Date of birth * <input type="date" name="dob" autocomplete="bday" min="1900-01-01" max="2008-01-01" required></label></p>
          <p><label>Delivery note * <input name="note" required></label></p>
          ${section("Delivery", deliveryRadios(view))} ${section("Payment", cardFields())}
          ${totals(view)} ${button("Pay now")}`),
    },
  ],
};

it("pays once with the answers", async () => {
  const results = await runCases([{ name: "asking-one-page", shape, fault: null }]);
  expect(results).toMatchObject([{ result: "paid" }]);
});
