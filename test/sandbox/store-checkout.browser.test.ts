import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { getSharedBrowser } from "../support/browser.ts";
import { type Buyer, CARDS, openBuyer, type Recipient } from "./buyer.ts";
import { openStores, type Stores } from "./stores.ts";

let stores: Stores;
let browser: Browser;
let buyer: Buyer;
beforeAll(async () => {
  [stores, browser] = await Promise.all([openStores(), getSharedBrowser()]);
});
afterEach(() => buyer.close());
afterAll(async () => {
  await stores.stop();
});

const ADA = { first: "Ada", last: "Lovelace" };
const ADDRESSES: Record<string, Recipient> = {
  GB: { ...ADA, street: "1 Royal Mile", city: "Edinburgh", zip: "EH1 1AA", country: "GB" },
  US: { ...ADA, street: "1 Main St", city: "Los Angeles", zip: "90012", province: "CA", country: "US" },
  JP: { ...ADA, street: "1-1 Chiyoda", city: "Tokyo", zip: "100-0001", province: "JP-13", country: "JP" },
  KW: { ...ADA, street: "Block 5", city: "Kuwait City", province: "KU", country: "KW" },
};

describe("a purchase at each store succeeds", () => {
  it.each([
    ["harbour", "/products/waxed-cap", ADDRESSES["GB"], "Standard", "£28.90 GBP", 2_890, "GBP"],
    ["maple", "/cart/720031:2", ADDRESSES["US"], "Two-day air", "$40.62 USD", 4_062, "USD"],
    ["kissa", "/products/house-blend?variant=730012", ADDRESSES["JP"], "Yamato", "¥3,300 JPY", 3_300, "JPY"],
    ["souk", "/cart/740011:1,740021:1", ADDRESSES["KW"], "Courier", "5.280 KWD", 5_280, "KWD"],
    [
      "corner",
      "/cart/750011:2",
      { ...ADA, isPickup: true as const },
      "Corner Bakery Carlton",
      "$19.00 AUD",
      1_900,
      "AUD",
    ],
    ["quarry", "/item/cold-chisel", ADDRESSES["US"], "Priority", "$32.36 USD", 3_236, "USD"],
    [
      "bindery",
      "/item/sewn-notebook",
      { ...ADA, isPickup: true as const },
      "Bindery counter",
      "£18.00 GBP",
      1_800,
      "GBP",
    ],
  ] as const)("%s, from %s to the order", async (store, path, to, option, total, amountMinor, currency) => {
    buyer = await openBuyer(browser);
    await buyer.page.goto(stores.urlOf(store) + path);
    const add = buyer.page.getByRole("button", { name: "Add to basket" });
    if (await add.isVisible()) await add.click();
    await buyer.deliver(to as Recipient, option);
    await expect.poll(() => buyer.total()).toBe(total);
    await buyer.card(CARDS.accepted);
    await buyer.pay();
    await buyer.page.getByRole("heading", { name: "Thank you, Ada" }).waitFor();
    expect(await buyer.total()).toBe(total);

    const { charges, attempts } = await stores.admin(`/${store}/charges`);
    expect(charges).toMatchObject([{ amountMinor, currency, cardLast4: "4242", attempts: 1 }]);
    expect(attempts).toMatchObject([{ outcome: "charged", cartId: charges[0].cartId }]);
    await expect.poll(() => buyer.page.getByText(`#${charges[0].orderNumber}`).isVisible()).toBe(true);
  });
});
