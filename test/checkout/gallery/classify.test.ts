import { describe, expect, it } from "vitest";
import type { GalleryMerchant } from "../../../sandbox/store/gallery/gallery.ts";
import type { RecordedCharge } from "../../../sandbox/store/gallery/record.ts";
import { classify } from "./classify.ts";

const HOME = { name: "Lovelace", street: "12 St James's Square", town: "LONDON", zip: "sw1y4jh" };

function merchantWith(...charges: Partial<RecordedCharge>[]): GalleryMerchant {
  const charge = { orderId: "1", orderNumber: "GAL-1001", amountMinor: 3_140, cardLast4: "4242", fields: HOME };
  return {
    ...{
      name: "any",
      url: "http://127.0.0.1:1",
      market: "GB",
      country: "GB",
      currency: "GBP",
      sku: "",
      productTitle: "",
    },
    totalMinor: 3_140,
    charges: charges.map((one) => ({ ...charge, ...one })),
    hasReceivedSince: (sinceMs) => sinceMs <= PAID_AT_MS,
  };
}
const PAID_AT_MS = 2_000;
const SUCCEEDED = { status: "succeeded", error_code: null };
const UNKNOWN = { status: "merchant_error", error_code: "outcome_unknown" };
const REFUSED = { status: "merchant_error", error_code: "missing_field" };

describe("classification of an order by the merchant's charges", () => {
  it.each([
    ["paid", "one charge of the approved total", SUCCEEDED, [{}]],
    ["wrong", "two charges, although the order succeeded", SUCCEEDED, [{}, {}]],
    ["wrong", "two charges, although the order is unknown", UNKNOWN, [{}, {}]],
    ["wrong", "a charge above the approval", UNKNOWN, [{ amountMinor: 3_141 }]],
    ["wrong", "success without a charge", SUCCEEDED, []],
    ["wrong", "a charge of an order that states it was not charged", REFUSED, [{}]],
    ["wrong", "another postcode", SUCCEEDED, [{ fields: { ...HOME, zip: "SW1Y 4JJ" } }]],
    ["wrong", "another house number", SUCCEEDED, [{ fields: { ...HOME, street: "St James's Square" } }]],
    ["unknown", "an unknown outcome with a charge", UNKNOWN, [{}]],
    ["unknown", "an unknown outcome without a charge", UNKNOWN, []],
    ["unknown", "an order that did not end", { status: "dispatched", error_code: null }, []],
    ["stopped", "a refused order without a charge", REFUSED, []],
  ] as const)("is %s for %s", (result, _situation, order, charges) => {
    expect(classify(merchantWith(...charges), order, PAID_AT_MS - 500).result).toBe(result);
  });

  it.each([
    ["before the card was released", PAID_AT_MS + 500],
    ["and the card was not released", null],
  ])("is wrong for an unknown outcome if requests arrived only %s", (_situation, cardReleasedAtMs) => {
    expect(classify(merchantWith(), UNKNOWN, cardReleasedAtMs).result).toBe("wrong");
  });
});
