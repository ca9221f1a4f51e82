import type { Browser, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FieldId, fieldName } from "../../sandbox/store/checkout/fields.ts";
import type { Shop } from "../../sandbox/store/shop.ts";
import { bindery } from "../../sandbox/store/shops/bindery.ts";
import { harbour } from "../../sandbox/store/shops/harbour.ts";
import { sharedBrowser } from "../support/browser.ts";
import { type Buyer, CARDS, openBuyer } from "./buyer.ts";
import { openStores, type Stores } from "./stores.ts";

const EDINBURGH = {
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Lovelace",
  address1: "1 Royal Mile",
  city: "Edinburgh",
  zip: "EH1 1AA",
  countryCode: "GB",
} as const;

let stores: Stores;
let browser: Browser;
let buyer: Buyer;
beforeAll(async () => {
  [stores, browser] = await Promise.all([openStores(), sharedBrowser()]);
});
afterEach(() => buyer.close());
afterAll(async () => {
  await stores.stop();
});

/** Up to the fields for the card. The basket and the address are sent without pages: other files test those. */
async function goToPayment(shop: "harbour" | "bindery", onPay: ((route: Route) => Promise<void>) | null = null) {
  buyer = await openBuyer(browser);
  // Before a page is loaded: one that loads meanwhile would be left out.
  if (onPay) await buyer.page.route("**/pay", onPay);
  const { request } = buyer.page.context();
  const url = stores.urlOf(shop);
  const address = (of: Shop) =>
    Object.fromEntries(Object.entries(EDINBURGH).map(([id, value]) => [fieldName(of, id as FieldId), value]));
  if (shop === "harbour") {
    await request.get(`${url}/cart/710021:1`);
    const begun = await request.post(`${url}/cart/checkout`);
    const shipping = await request.post(begun.url(), { form: address(harbour) });
    await buyer.page.goto(shipping.url());
    await buyer.chooseDelivery("Standard");
  } else {
    await request.post(`${url}/basket/put`, { form: { id: 770_011, quantity: 1 } });
    const begun = await request.post(`${url}/basket/checkout`);
    await request.post(`${begun.url()}/update`, { form: address(bindery) });
    await buyer.page.goto(begun.url());
    await buyer.chooseDelivery("First class");
  }
}

/** What a checkout left in its shop's books; `before` is what was there already. */
async function books(shop: string) {
  const { charges, attempts } = await stores.admin(`/${shop}/charges`);
  return {
    charges: charges as { amountMinor: number }[],
    outcomes: attempts.map(({ outcome }: { outcome: string }) => outcome),
  };
}
let before: Awaited<ReturnType<typeof books>>;
async function buyWith(shop: "harbour" | "bindery", fault: string | null, card = CARDS.taken) {
  before = await books(shop);
  if (fault) await stores.order(shop, fault, { times: 1 });
  await goToPayment(shop);
  await buyer.card(card);
  await buyer.pay();
}
async function left(shop: string) {
  const { charges, outcomes } = await books(shop);
  return {
    amounts: charges.slice(before.charges.length).map(({ amountMinor }) => amountMinor),
    outcomes: outcomes.slice(before.outcomes.length),
  };
}
const said = (text: string) => buyer.page.getByText(text).waitFor();

describe("the card", () => {
  it("is typed at another origin, and the bank asks at a third", async () => {
    await buyWith("harbour", null, CARDS.asksOwner);
    await buyer.bank().getByLabel(/code/i).fill("0000");
    await buyer.bank().getByRole("button", { name: "Confirm" }).click();
    await buyer.bank().getByText("That code is not right.").waitFor();
    const origins = buyer.page.frames().map((frame) => new URL(frame.url()).hostname);
    expect(origins).toEqual(["127.0.0.1", "bank.localhost"]);
    expect(await left("harbour")).toEqual({ amounts: [], outcomes: ["asked-owner"] });
    await buyer.bank().getByLabel(/code/i).fill("1234");
    await buyer.bank().getByRole("button", { name: "Confirm" }).click();
    await said("Thank you, Ada");
    expect(await left("harbour")).toEqual({ amounts: [2_890], outcomes: ["asked-owner", "charged"] });
    // Coming back from the bank a second time is no second payment.
    await buyer.page.goto(buyer.page.url().replace(/thank-you.*/, "return"));
    await said("Thank you, Ada");
    expect((await left("harbour")).amounts).toEqual([2_890]);
  });

  it("is not charged when its owner refuses, or its bank declines", async () => {
    await buyWith("harbour", null, CARDS.asksOwner);
    await buyer.bank().getByRole("button", { name: "Cancel payment" }).click();
    await said("Your bank did not confirm the payment. Nothing was charged.");
    await buyer.card(CARDS.declined);
    await buyer.pay();
    await said("Your card was declined. Nothing was charged.");
    expect(await left("harbour")).toEqual({ amounts: [], outcomes: ["asked-owner", "declined"] });
    await buyer.card(CARDS.taken);
    await buyer.pay();
    await said("Thank you, Ada");
    expect((await left("harbour")).amounts).toEqual([2_890]);
  });

  it("is checked before it goes anywhere, and is never told to the shop", async () => {
    before = await books("bindery");
    await goToPayment("bindery");
    const sent: string[] = [];
    buyer.page.on("request", (request) => sent.push(`${new URL(request.url()).hostname} ${request.postData() ?? ""}`));
    await buyer.card("4242424242424241");
    await buyer.pay();
    await said("Check your card details.");
    expect(await left("bindery")).toEqual({ amounts: [], outcomes: [] });
    await buyer.card(CARDS.taken);
    await buyer.pay();
    await said("Thank you, Ada");
    const holding = sent.filter((line) => line.replace(/\s/g, "").includes(CARDS.taken));
    expect(holding).toHaveLength(1);
    expect(holding[0]).toMatch(/^localhost /);
    expect(JSON.stringify(await stores.admin("/bindery/charges"))).not.toContain(CARDS.taken);
  });
});

describe("a fault after the card was sent", () => {
  it.each([
    ["decline", "Your card was declined. Nothing was charged.", [], ["declined"]],
    ["overcharge", "Thank you, Ada", [2_464], ["charged"]],
    ["no_order_number", "We are looking at your order and will write to you.", [2_240], ["charged"]],
    ["lost_confirmation", "Something went wrong. Please try again.", [2_240], ["charged"]],
    ["double_submit", "Thank you, Ada", [2_240, 2_240, 2_240], ["charged", "charged", "charged"]],
  ])("%s", async (fault, text, amounts, outcomes) => {
    await buyWith("bindery", fault);
    await said(text);
    await expect.poll(() => left("bindery")).toEqual({ amounts, outcomes });
  });

  it.each([
    ["hang_before_charge", [], "hung"],
    ["hang_after_charge", [2_240], "charged"],
  ])("%s", async (fault, amounts, outcome) => {
    await buyWith("bindery", fault);
    await expect.poll(() => left("bindery")).toEqual({ amounts, outcomes: [outcome] });
    await expect.poll(() => buyer.page.getByRole("button", { name: "Pay now" }).isDisabled()).toBe(true);
  });

  it("three_ds_abandon", async () => {
    await buyWith("bindery", "three_ds_abandon");
    await buyer.bank().getByLabel(/code/i).fill("1234");
    await buyer.bank().getByRole("button", { name: "Confirm" }).click({ noWaitAfter: true });
    expect(await left("bindery")).toEqual({ amounts: [], outcomes: ["asked-owner"] });
    await buyer.page.goto(buyer.page.url().replace("/confirm", "/return"));
    await buyer.bank().getByLabel(/code/i).waitFor();
    expect((await left("bindery")).amounts).toEqual([]);
  });

  /** Chromium sends a POST again by itself when a connection it had used before is dropped. */
  it.each([
    ["harbour", "crash_after_charge", "charged"],
    ["bindery", "crash_after_charge", "charged"],
    ["bindery", "crash_before_charge", "dropped"],
  ] as const)("%s: %s, which a browser answers with more payments", async (shop, fault, outcome) => {
    await buyWith(shop, fault);
    if (shop === "bindery") await said("Something went wrong. Please try again.");
    await expect.poll(async () => (await left(shop)).outcomes).toContain(outcome);
    const { amounts, outcomes } = await left(shop);
    expect(new Set(outcomes)).toEqual(new Set([outcome]));
    expect(amounts).toHaveLength(outcome === "charged" ? outcomes.length : 0);
  });

  it.each([
    ["harbour", "crash_after_charge", false, [2_890]],
    ["bindery", "crash_after_charge", false, [2_240]],
    ["bindery", "double_submit", true, [2_240]],
    ["harbour", "double_submit", true, [2_890]],
    ["harbour", null, true, [2_890]],
  ] as const)(
    "%s: %s is one payment when one is sent outside the browser",
    async (shop, fault, isConfirmed, amounts) => {
      before = await books(shop);
      if (fault) await stores.order(shop, fault, { times: 1 });
      let payments = 0;
      await goToPayment(shop, async (route) => {
        payments += 1;
        if (payments > 1) return route.abort();
        const answer = await route.fetch({ maxRedirects: 0, maxRetries: 0 }).catch(() => null);
        return answer ? route.fulfill({ response: answer }) : route.abort();
      });
      await buyer.card(CARDS.taken);
      await buyer.pay();
      if (isConfirmed) await said("Thank you, Ada");
      await expect.poll(() => left(shop)).toEqual({ amounts, outcomes: ["charged"] });
      expect(payments).toBe(fault === "double_submit" ? 3 : 1);
    },
  );
});

it("keeps its books through a restart", async () => {
  await buyWith("harbour", null);
  await said("Thank you, Ada");
  const kept = await books("harbour");
  const page = buyer.page.url();
  await stores.restart();
  expect(await books("harbour")).toEqual(kept);
  await buyer.page.goto(page);
  await said("Thank you, Ada");
});
