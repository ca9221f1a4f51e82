import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { getSharedBrowser } from "../support/browser.ts";
import { type Buyer, CARDS, openBuyer, type Recipient } from "./buyer.ts";
import { openStores, type Stores } from "./stores.ts";

const PHONE = { width: 375, height: 740 };
const CART = "/cart/710021:1";
const EDINBURGH: Recipient = {
  first: "Ada",
  last: "Lovelace",
  street: "1 Royal Mile",
  city: "Edinburgh",
  zip: "EH1 1AA",
  country: "GB",
};
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

const harbour = (path: string) => stores.urlOf("harbour") + path;
const checkOut = () => buyer.page.getByRole("button", { name: "Check out" }).click({ noWaitAfter: true });
async function open(path = CART, viewport?: typeof PHONE) {
  buyer = await openBuyer(browser, viewport);
  await buyer.page.goto(harbour(path));
}

describe("a fault before the card is entered", () => {
  afterEach(async () => expect((await stores.admin("/harbour/charges")).charges).toEqual([]));

  it.each([
    ["captcha", "Are you a person?"],
    ["bot_wall", "Checking your browser"],
    ["no_guest_checkout", "Sign in to check out"],
    ["stock_out", "Some items in your basket are no longer available"],
    ["server_error", "Service Unavailable"],
  ])("%s", async (fault, text) => {
    await stores.setFault("harbour", fault, { times: 1 });
    await open();
    await checkOut();
    await buyer.page.getByText(text).waitFor();
    await expect.poll(() => buyer.page.getByRole("button", { name: "Pay now" }).count()).toBe(0);
    // The fault persists for this checkout. The next buyer's checkout works.
    await buyer.page.reload();
    await buyer.page.getByText(text).waitFor();
    await buyer.close();
    await open();
    await checkOut();
    await buyer.page.getByLabel("Email").waitFor();
  });

  it.each([
    ["price_change", "£31.40 GBP"],
    ["price_drop", "£26.40 GBP"],
  ])("%s", async (fault, total) => {
    await stores.setFault("harbour", fault, { times: 1 });
    await open();
    expect(await buyer.total()).toBe("£24.95 GBP");
    await buyer.deliver(EDINBURGH, "Standard");
    expect(await buyer.total()).toBe(total);
  });

  it("address_rejected, and validation of invalid addresses", async () => {
    await open();
    await buyer.address({ ...EDINBURGH, zip: "12345", street: "" });
    await buyer.page.getByText("Address is required").waitFor();
    await buyer.page.getByText("Postal code is not valid for the country").waitFor();
    await expect.poll(() => buyer.page.getByRole("alert").count()).toBe(2);
    await buyer.close();
    await stores.setFault("harbour", "address_rejected", { times: 1 });
    await open();
    await buyer.address(EDINBURGH);
    await buyer.page.getByText("We cannot deliver to this address").waitFor();
  });

  it("card_frame_down", async () => {
    await stores.setFault("harbour", "card_frame_down", { times: 1 });
    await open();
    await buyer.deliver(EDINBURGH, "Standard");
    await buyer.page.frameLocator("iframe.card").getByText("Payments are not available.").waitFor();
  });

  it("hangs and slow", async () => {
    await stores.setFault("harbour", "hangs", { times: 1 });
    await open();
    await checkOut();
    await expect(buyer.page.getByLabel("Email").waitFor({ timeout: 500 })).rejects.toThrow();
    await buyer.close();
    await stores.setFault("harbour", "slow", { times: 1 });
    await open();
    const startedAtMs = Date.now();
    await checkOut();
    await buyer.page.getByLabel("Email").waitFor();
    expect(Date.now() - startedAtMs).toBeGreaterThan(1_900);
  });

  it("can be limited to one cart", async () => {
    await open();
    const cookies = await buyer.page.context().cookies();
    const cartId = cookies.find(({ name }) => name === "basket_harbour")?.value.split(".")[0] ?? "";
    await stores.setFault("harbour", "captcha", { cartId });
    const other = await openBuyer(browser);
    await other.page.goto(harbour(CART));
    await other.page.getByRole("button", { name: "Check out" }).click();
    await other.page.getByLabel("Email").waitFor();
    await other.close();
    await checkOut();
    await buyer.page.getByText("Are you a person?").waitFor();
    await stores.setFault("harbour", null);
  });
});

it("opens the checkout of a Storefront API cart with its contact and address", async () => {
  const deliveryAddress = {
    firstName: "Ada",
    lastName: "Lovelace",
    address1: "1 Royal Mile",
    city: "Edinburgh",
    zip: "EH1 1AA",
    countryCode: "GB",
  };
  const input = {
    lines: [{ merchandiseId: "gid://shopify/ProductVariant/710021", quantity: 2 }],
    buyerIdentity: { email: "ada@example.com" },
    delivery: { addresses: [{ selected: true, validationStrategy: "STRICT", address: { deliveryAddress } }] },
  };
  const { data } = await stores.query(
    "harbour",
    "mutation($input:CartInput!){cartCreate(input:$input){cart{checkoutUrl}}}",
    { input },
  );
  buyer = await openBuyer(browser);
  await buyer.page.goto(data.cartCreate.cart.checkoutUrl);
  await expect.poll(() => buyer.page.getByLabel("Email").inputValue()).toBe("ada@example.com");
  await expect.poll(() => buyer.page.getByLabel("Postal code").inputValue()).toBe("EH1 1AA");
  await buyer.page.getByRole("button", { name: "Continue to delivery" }).click();
  await buyer.page.getByRole("radio", { name: "Next day" }).check();
  await buyer.page.getByRole("button", { name: "Continue to payment" }).click();
  expect(await buyer.total()).toBe("£57.85 GBP");
  await buyer.card(CARDS.accepted);
  await buyer.pay();
  await buyer.page.getByText("Thank you, Ada").waitFor();
});

it("serves accessible pages that fit a phone", async () => {
  const faulty: unknown[] = [];
  async function checkPage(path: string) {
    await buyer.page.addScriptTag({ content: axe.source });
    const { violations } = (await buyer.page.evaluate("axe.run()")) as {
      violations: { id: string; nodes: unknown[] }[];
    };
    faulty.push(...violations.map(({ id, nodes }) => ({ path, id, nodes })));
    expect(await buyer.page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
  }
  await open("/", PHONE);
  for (const path of ["/", "/products/fisherman-jumper?variant=710014", "/policies/shipping-policy", CART]) {
    await buyer.page.goto(harbour(path));
    await checkPage(path);
  }
  await buyer.deliver(EDINBURGH, "Standard");
  await checkPage("payment");
  await buyer.page.goto(`${stores.urlOf("maple")}/cart/720031:1`);
  await checkOut();
  await buyer.page.getByLabel("Email").waitFor();
  await checkPage("single page");
  await buyer.page.goto(stores.sandbox.endpoints.storeUrl);
  await checkPage("directory");
  expect(faulty).toEqual([]);
  await buyer.page.goto(harbour("/products/hat"));
  await buyer.page.getByText("There is nothing here").waitFor();
});
