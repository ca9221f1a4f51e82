/** What goes wrong before the card is submitted: each ends with its own cause, and nothing is paid. */
import { beforeAll, describe, expect, it } from "vitest";
import { TimeSpentError } from "../../src/worker/session.ts";
import { CAP, HOME, NOTEBOOK, openWorkerRoom, type Wanted, type WorkerRoom } from "./checkout-room.ts";

let room: WorkerRoom;
beforeAll(async () => {
  room = await openWorkerRoom();
});

const standard = { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null } as const;
const NOTHING = { calls: [], amounts: [], outcomes: [] };

describe.concurrent.each([CAP, NOTEBOOK])("at $shop", (wanted) => {
  const { fulfillment } = wanted;

  it.each<[fault: string, cause: string, timing?: Wanted["timing"]]>([
    ["captcha", "captcha"],
    ["bot_wall", "bot_wall"],
    ["no_guest_checkout", "guest_checkout_unavailable"],
    ["stock_out", "out_of_stock"],
    ["server_error", "shop_unavailable"],
    ["hangs", "shop_unavailable", { navigationMs: 2_000 }],
    ["price_change", "price_changed"],
    ["address_rejected", "form_rejected"],
    ["card_frame_down", "shop_unavailable", { appearMs: 2_000 }],
  ])("%s ends as %s", async (fault, cause, timing = {}) => {
    const drive = await room.drive({ ...wanted, faults: [fault], timing });
    expect(drive).toMatchObject({ result: { cause }, ...NOTHING });
  });

  it("time that is spent breaks it off", async () => {
    const stop = new AbortController();
    const drive = room.drive({ ...wanted, faults: ["hangs"], signal: stop.signal });
    setTimeout(() => stop.abort(new TimeSpentError()), 2_500);
    await expect(drive).rejects.toBeInstanceOf(TimeSpentError);
  });

  it.each<[what: string, more: Partial<Wanted>, cause: string]>([
    ["a total in another currency", { currency: "USD", fulfillment: null }, "price_changed"],
    [
      "a delivery that is not offered",
      { fulfillment: { ...standard, title: "By drone", amountMinor: 1 } },
      "missing_field",
    ],
    [
      "a delivery that costs more",
      { fulfillment: { ...(fulfillment ?? standard), amountMinor: 100 } },
      "price_changed",
    ],
    ["an address that is no address", { deliverTo: { ...HOME, postalCode: "12345" } }, "form_rejected"],
  ])("%s", async (_what, more, cause) => {
    const drive = await room.drive({ ...wanted, ...more, timing: { appearMs: 1_500 } });
    expect(drive).toMatchObject({ result: { cause }, ...NOTHING });
  });
});

describe("a merchant without basket URLs", () => {
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
