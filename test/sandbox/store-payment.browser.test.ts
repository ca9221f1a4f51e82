import type { Browser, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FieldId, fieldName } from "../../sandbox/store/checkout/fields.ts";
import type { Store } from "../../sandbox/store/definition.ts";
import { bindery } from "../../sandbox/store/stores/bindery.ts";
import { harbour } from "../../sandbox/store/stores/harbour.ts";
import { getSharedBrowser } from "../support/browser.ts";
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
  [stores, browser] = await Promise.all([openStores(), getSharedBrowser()]);
});
afterEach(() => buyer.close());
afterAll(async () => {
  await stores.stop();
});

/** Opens the page with the card fields. Cart and address are sent without pages: other files test those. */
async function goToPayment(store: "harbour" | "bindery", onPay: ((route: Route) => Promise<void>) | null = null) {
  buyer = await openBuyer(browser);
  // Registered before a page loads: a page that is already loading would not be covered.
  if (onPay) await buyer.page.route("**/pay", onPay);
  const { request } = buyer.page.context();
  const url = stores.urlOf(store);
  const address = (of: Store) =>
    Object.fromEntries(Object.entries(EDINBURGH).map(([id, value]) => [fieldName(of, id as FieldId), value]));
  if (store === "harbour") {
    await request.get(`${url}/cart/710021:1`);
    const checkout = await request.post(`${url}/cart/checkout`);
    const shipping = await request.post(checkout.url(), { form: address(harbour) });
    await buyer.page.goto(shipping.url());
    await buyer.chooseDelivery("Standard");
  } else {
    await request.post(`${url}/basket/put`, { form: { id: 770_011, quantity: 1 } });
    const checkout = await request.post(`${url}/basket/checkout`);
    await request.post(`${checkout.url()}/update`, { form: address(bindery) });
    await buyer.page.goto(checkout.url());
    await buyer.chooseDelivery("First class");
  }
}

/** Reads the charges and payment attempts in a store's ledger. */
async function readLedger(store: string) {
  const { charges, attempts } = await stores.admin(`/${store}/charges`);
  return {
    charges: charges as { amountMinor: number }[],
    outcomes: attempts.map(({ outcome }: { outcome: string }) => outcome),
  };
}
let before: Awaited<ReturnType<typeof readLedger>>;
async function buyWith(store: "harbour" | "bindery", fault: string | null, card = CARDS.accepted) {
  before = await readLedger(store);
  if (fault) await stores.setFault(store, fault, { times: 1 });
  await goToPayment(store);
  await buyer.card(card);
  await buyer.pay();
}
/** Returns the ledger entries added since `before`. */
async function readNewEntries(store: string) {
  const { charges, outcomes } = await readLedger(store);
  return {
    amounts: charges.slice(before.charges.length).map(({ amountMinor }) => amountMinor),
    outcomes: outcomes.slice(before.outcomes.length),
  };
}
const waitForText = (text: string) => buyer.page.getByText(text).waitFor();

describe("the card", () => {
  it("is entered at another origin, and the bank's challenge is at a third", async () => {
    await buyWith("harbour", null, CARDS.challenged);
    await buyer.bank().getByLabel(/code/i).fill("0000");
    await buyer.bank().getByRole("button", { name: "Confirm" }).click();
    await buyer.bank().getByText("That code is not right.").waitFor();
    const origins = buyer.page.frames().map((frame) => new URL(frame.url()).hostname);
    expect(origins).toEqual(["127.0.0.1", "bank.localhost"]);
    expect(await readNewEntries("harbour")).toEqual({ amounts: [], outcomes: ["asked-owner"] });
    await buyer.bank().getByLabel(/code/i).fill("1234");
    await buyer.bank().getByRole("button", { name: "Confirm" }).click();
    await waitForText("Thank you, Ada");
    expect(await readNewEntries("harbour")).toEqual({ amounts: [2_890], outcomes: ["asked-owner", "charged"] });
    // A second return from the bank does not charge the card again.
    await buyer.page.goto(buyer.page.url().replace(/thank-you.*/, "return"));
    await waitForText("Thank you, Ada");
    expect((await readNewEntries("harbour")).amounts).toEqual([2_890]);
  });

  it("is not charged when the cardholder cancels or the bank declines", async () => {
    await buyWith("harbour", null, CARDS.challenged);
    await buyer.bank().getByRole("button", { name: "Cancel payment" }).click();
    await waitForText("Your bank did not confirm the payment. Nothing was charged.");
    await buyer.card(CARDS.declined);
    await buyer.pay();
    await waitForText("Your card was declined. Nothing was charged.");
    expect(await readNewEntries("harbour")).toEqual({ amounts: [], outcomes: ["asked-owner", "declined"] });
    await buyer.card(CARDS.accepted);
    await buyer.pay();
    await waitForText("Thank you, Ada");
    expect((await readNewEntries("harbour")).amounts).toEqual([2_890]);
  });

  it("is validated before it is sent, and is not sent to the store", async () => {
    before = await readLedger("bindery");
    await goToPayment("bindery");
    const sent: string[] = [];
    buyer.page.on("request", (request) => sent.push(`${new URL(request.url()).hostname} ${request.postData() ?? ""}`));
    await buyer.card("4242424242424241");
    await buyer.pay();
    await waitForText("Check your card details.");
    expect(await readNewEntries("bindery")).toEqual({ amounts: [], outcomes: [] });
    await buyer.card(CARDS.accepted);
    await buyer.pay();
    await waitForText("Thank you, Ada");
    const withCard = sent.filter((line) => line.replace(/\s/g, "").includes(CARDS.accepted));
    expect(withCard).toHaveLength(1);
    expect(withCard[0]).toMatch(/^localhost /);
    expect(JSON.stringify(await stores.admin("/bindery/charges"))).not.toContain(CARDS.accepted);
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
    await waitForText(text);
    await expect.poll(() => readNewEntries("bindery")).toEqual({ amounts, outcomes });
  });

  it.each([
    ["hang_before_charge", [], "hung"],
    ["hang_after_charge", [2_240], "charged"],
  ])("%s", async (fault, amounts, outcome) => {
    await buyWith("bindery", fault);
    await expect.poll(() => readNewEntries("bindery")).toEqual({ amounts, outcomes: [outcome] });
    await expect.poll(() => buyer.page.getByRole("button", { name: "Pay now" }).isDisabled()).toBe(true);
  });

  it("three_ds_abandon", async () => {
    await buyWith("bindery", "three_ds_abandon");
    await buyer.bank().getByLabel(/code/i).fill("1234");
    await buyer.bank().getByRole("button", { name: "Confirm" }).click({ noWaitAfter: true });
    expect(await readNewEntries("bindery")).toEqual({ amounts: [], outcomes: ["asked-owner"] });
    await buyer.page.goto(buyer.page.url().replace("/confirm", "/return"));
    await buyer.bank().getByLabel(/code/i).waitFor();
    expect((await readNewEntries("bindery")).amounts).toEqual([]);
  });

  /** Chromium automatically repeats a POST when a reused connection is dropped. */
  it.each([
    ["harbour", "crash_after_charge", "charged"],
    ["bindery", "crash_after_charge", "charged"],
    ["bindery", "crash_before_charge", "dropped"],
  ] as const)("%s: %s causes several payments by the browser", async (store, fault, outcome) => {
    await buyWith(store, fault);
    if (store === "bindery") await waitForText("Something went wrong. Please try again.");
    await expect.poll(async () => (await readNewEntries(store)).outcomes).toContain(outcome);
    const { amounts, outcomes } = await readNewEntries(store);
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
    "%s: %s causes one payment when it is sent outside the browser",
    async (store, fault, isConfirmed, amounts) => {
      before = await readLedger(store);
      if (fault) await stores.setFault(store, fault, { times: 1 });
      let payments = 0;
      await goToPayment(store, async (route) => {
        payments += 1;
        if (payments > 1) return route.abort();
        const response = await route.fetch({ maxRedirects: 0, maxRetries: 0 }).catch(() => null);
        return response ? route.fulfill({ response }) : route.abort();
      });
      await buyer.card(CARDS.accepted);
      await buyer.pay();
      if (isConfirmed) await waitForText("Thank you, Ada");
      await expect.poll(() => readNewEntries(store)).toEqual({ amounts, outcomes: ["charged"] });
      expect(payments).toBe(fault === "double_submit" ? 3 : 1);
    },
  );
});

it("restores the store's ledger after a restart", async () => {
  await buyWith("harbour", null);
  await waitForText("Thank you, Ada");
  const ledger = await readLedger("harbour");
  const page = buyer.page.url();
  await stores.restart();
  expect(await readLedger("harbour")).toEqual(ledger);
  await buyer.page.goto(page);
  await waitForText("Thank you, Ada");
});
