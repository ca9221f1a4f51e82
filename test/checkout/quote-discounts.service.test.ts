/** Quotes of a store with automatic discounts, compared with the total at the store's own checkout. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CheckoutFixture, openCheckoutFixture } from "./checkout-fixture.ts";

const CAP = "gid://shopify/ProductVariant/710021";
const ADA = {
  ...{ first_name: "Ada", last_name: "Lovelace", address1: "12 St James's Square", city: "London" },
  ...{ postal_code: "SW1Y 4JH", country_code: "GB" },
};

let fixture: CheckoutFixture;
let harbour: string;

beforeAll(async () => {
  fixture = await openCheckoutFixture();
  harbour = await fixture.findMerchantId("harbour");
});
afterAll(() => fixture.stop());

type Option = { id: string; title: string };

async function quoteCaps(quantity: number, title: string, more: object = {}) {
  const cart = { merchant_id: harbour, items: [{ sku: CAP, quantity }], ship_to: ADA };
  const options: Option[] = (await fixture.quote(cart)).json.fulfillment_options;
  const fulfillment_option_id = options.find((option) => option.title === title)?.id;
  return await fixture.quote({ ...cart, fulfillment_option_id, ...more });
}

/** Walks through the store's checkout without paying and returns its total, in pence. */
async function readTotalAtCheckout(quantity: number, title: string): Promise<number> {
  const url = fixture.findStoreUrl("harbour");
  let cookie = "";
  const visit = async (path: string, form?: Record<string, string>) => {
    const response = await fetch(new URL(path, url), {
      ...{ redirect: "manual", headers: { cookie } },
      ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
    });
    cookie ||= response.headers.get("set-cookie")?.split(";")[0] ?? "";
    return { text: await response.text(), location: response.headers.get("location") ?? "" };
  };
  await visit(`/cart/710021:${quantity}`);
  const { location: checkout } = await visit("/cart/checkout", {});
  const address = { firstName: "Ada", lastName: "Lovelace", address1: "12 St James's Square", city: "London" };
  const place = { postalCode: "SW1Y 4JH", countryCode: "GB", email: "ada@example.com", fulfilment: "ship" };
  const { location: shipping } = await visit(`${checkout}/information`, { ...address, ...place });
  const { text } = await visit(shipping);
  const option = [...text.matchAll(/name="option" value="(\w+)"[^>]*>\s*<span>([^<]*)</g)].find(
    ([, , name]) => name === title,
  );
  const { location: payment } = await visit(shipping, { option: option?.[1] ?? "" });
  const total = /<tr class="total"><td>Total<\/td><td class="money">£([\d.,]+)/.exec((await visit(payment)).text)?.[1];
  return Math.round(Number(total?.replaceAll(",", "")) * 100);
}

it.each([
  ["no discount", 2, "Next day", 5_785],
  ["a discount on the lines", 3, "Next day", 7_531],
  ["a discount on the order", 23, "Next day", 50_441],
  ["free delivery", 27, "Next day", 58_628],
])("states the charge with %s", async (_discount, quantity, title, charge) => {
  const { json } = await quoteCaps(quantity, title);
  expect(json).toMatchObject({
    ...{ amount_is_final: true, expected_amount_minor: charge },
    ...{ charge_estimate_minor: charge, charge_cap_minor: charge },
  });
  expect(await readTotalAtCheckout(quantity, title)).toBe(charge);
});

it("states line discounts on the lines", async () => {
  const { json } = await quoteCaps(3, "Next day");
  expect(json.lines[0]).toMatchObject({ subtotal_minor: 7_485, discount_minor: 749, total_minor: 6_736 });
});

it("compares caps with the amounts after discounts, before and after the choice", async () => {
  const constraints = { max_total_minor: 58_628, max_shipping_minor: 0 };
  const chosen = await quoteCaps(27, "Next day", { constraints });
  expect([chosen.status, chosen.json.expected_amount_minor]).toEqual([200, 58_628]);
  const open = await quoteCaps(27, "Next day", { constraints, fulfillment_option_id: undefined });
  expect([open.status, open.json.requires_fulfillment_choice]).toEqual([200, true]);
  const { json } = await quoteCaps(27, "Next day", { constraints: { max_total_minor: 58_627 } });
  expect(json).toMatchObject({ error: "constraint_total_exceeded", expected_amount_minor: 58_628 });
});
