/** What goes wrong before the card is submitted: each ends with its own cause, and nothing is paid. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TimeSpentError } from "../../src/worker/session.ts";
import { CAP, HOME, inBothShops, NOTEBOOK, openWorkerRoom, type Wanted, type WorkerRoom } from "./checkout-room.ts";

let room: WorkerRoom;
beforeAll(async () => {
  room = await openWorkerRoom();
});
afterAll(() => room.stop());

const standard = { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null } as const;
afterEach(async () => {
  for (const { shop } of [CAP, NOTEBOOK]) {
    await room.stores.order(shop, null);
    expect(await room.stores.admin(`/${shop}/charges`)).toEqual({ charges: [], attempts: [] });
  }
});

it.each([
  ["captcha", "captcha"],
  ["bot_wall", "bot_wall"],
  ["no_guest_checkout", "guest_checkout_unavailable"],
  ["stock_out", "out_of_stock"],
  ["server_error", "shop_unavailable"],
  ["hangs", "shop_unavailable"],
  ["price_change", "price_changed"],
  ["address_rejected", "form_rejected"],
  ["card_frame_down", "shop_unavailable"],
])("%s ends as %s", async (fault, cause) => {
  await inBothShops(async (wanted) => {
    await room.stores.order(wanted.shop, fault, { times: 1 });
    const { result, calls, steps } = await room.drive({ ...wanted, timing: { navigationMs: 4_000, appearMs: 2_000 } });
    expect({ result, steps }).toMatchObject({ result: { cause } });
    expect(calls).toEqual([]);
  });
});

it("time that is spent breaks it off", async () => {
  await inBothShops(async (wanted) => {
    await room.stores.order(wanted.shop, "hangs", { times: 1 });
    const stop = new AbortController();
    const drive = room.drive({ ...wanted, signal: stop.signal });
    setTimeout(() => stop.abort(new TimeSpentError()), 2_500);
    await expect(drive).rejects.toBeInstanceOf(TimeSpentError);
  });
});

it.each<[what: string, more: (wanted: Wanted) => Partial<Wanted>, cause: string]>([
  ["a total above the amount", ({ amountMinor }) => ({ amountMinor: amountMinor - 1 }), "price_changed"],
  ["a total in another currency", () => ({ currency: "USD", fulfillment: null }), "price_changed"],
  [
    "a delivery that is not offered",
    () => ({ fulfillment: { ...standard, title: "By drone", amountMinor: 1 } }),
    "missing_field",
  ],
  [
    "a delivery that costs more",
    ({ fulfillment }) => ({ fulfillment: { ...(fulfillment ?? standard), amountMinor: 100 } }),
    "price_changed",
  ],
  ["an address that is no address", () => ({ deliverTo: { ...HOME, postalCode: "12345" } }), "form_rejected"],
])("%s", async (_what, more, cause) => {
  await inBothShops(async (wanted) => {
    const drive = room.drive({ ...wanted, ...more(wanted), timing: { appearMs: 1_500 } });
    const { result, calls, steps } = await drive;
    expect({ result, steps }).toMatchObject({ result: { cause } });
    expect(calls).toEqual([]);
  });
});

describe("what a shop without baskets by address has", () => {
  it.each([
    [
      "a product that is sold out",
      { shop: "quarry", productUrl: "/item/cold-chisel", variantTitle: "3/4 in" },
      "out_of_stock",
    ],
    ["a product that is gone", { shop: "quarry", productUrl: "/item/anvil", variantTitle: null }, "out_of_stock"],
    [
      "a variant that it does not have",
      { shop: "bindery", productUrl: "/item/sewn-notebook", variantTitle: "Squared" },
      "missing_field",
    ],
  ])("%s", async (_what, { shop, ...item }, cause) => {
    const items = [{ sku: "X", quantity: 1, title: "It", ...item }];
    const { result, calls } = await room.drive({ shop, items, amountMinor: 99_999, currency: "USD" });
    expect(result).toEqual({ cause });
    expect(calls).toEqual([]);
  });

  it("says why a basket cannot be ordered", async () => {
    const { result } = await room.drive({
      shop: "corner",
      basket: "/cart/750011:1",
      amountMinor: 950,
      currency: "AUD",
      deliverTo: null,
    });
    expect(result).toEqual({ cause: "form_rejected" });
  });
});
