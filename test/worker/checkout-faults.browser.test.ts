/** Failures before the card is submitted: each ends with its own cause and without a payment. */
import { beforeAll, describe, expect, it } from "vitest";
import { TimeSpentError } from "../../src/worker/session.ts";
import { CAP, type DriveOptions, HOME, NOTEBOOK, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await openWorkerFixture();
});

const standard = { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null } as const;
const NOTHING = { calls: [], amounts: [], outcomes: [] };

describe.concurrent.each([CAP, NOTEBOOK])("at $store", (options) => {
  const { fulfillment } = options;

  it.each<[fault: string, cause: string, timing?: DriveOptions["timing"]]>([
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
    const drive = await fixture.drive({ ...options, faults: [fault], timing });
    expect(drive).toMatchObject({ result: { cause }, ...NOTHING });
  });

  it("stops when the time limit is reached", async () => {
    const stop = new AbortController();
    const drive = fixture.drive({ ...options, faults: ["hangs"], signal: stop.signal });
    setTimeout(() => stop.abort(new TimeSpentError()), 2_500);
    await expect(drive).rejects.toBeInstanceOf(TimeSpentError);
  });

  it.each<[what: string, more: Partial<DriveOptions>, cause: string]>([
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
    ["an invalid address", { deliverTo: { ...HOME, postalCode: "12345" } }, "form_rejected"],
  ])("%s", async (_what, more, cause) => {
    const drive = await fixture.drive({ ...options, ...more, timing: { appearMs: 1_500 } });
    expect(drive).toMatchObject({ result: { cause }, ...NOTHING });
  });
});

describe("a merchant without cart URLs", () => {
  it.each([
    [
      "a sold-out product",
      { store: "quarry", productUrl: "/item/cold-chisel", variantTitle: "3/4 in" },
      "out_of_stock",
    ],
    ["a removed product", { store: "quarry", productUrl: "/item/anvil", variantTitle: null }, "out_of_stock"],
    [
      "an unknown variant",
      { store: "bindery", productUrl: "/item/sewn-notebook", variantTitle: "Squared" },
      "missing_field",
    ],
  ])("%s", async (_what, { store, ...item }, cause) => {
    const items = [{ sku: "X", quantity: 1, title: "It", ...item }];
    const { result, calls } = await fixture.drive({ store, items, amountMinor: 99_999, currency: "USD" });
    expect(result).toEqual({ cause });
    expect(calls).toEqual([]);
  });

  it("reports why a cart cannot be ordered", async () => {
    const { result } = await fixture.drive({
      store: "corner",
      cartPath: "/cart/750011:1",
      amountMinor: 950,
      currency: "AUD",
      deliverTo: null,
    });
    expect(result).toEqual({ cause: "form_rejected" });
  });
});
