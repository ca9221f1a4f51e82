/** Who operates a page, by the order's job. */
import { describe, expect, it } from "vitest";
import type { ExplorationJob, PurchaseJob } from "../../src/checkout/worker-protocol/job.ts";
import { createPartyOf } from "../../src/worker/live/page-party.ts";

const PURCHASE = {
  kind: "purchase",
  // The URL at present, after the order was placed.
  merchant: { id: "mer_1", name: "Store", url: "https://moved.example", rail: "worker" },
  cardEntry: {
    pageOrigins: ["https://www.store.example", "https://pay.hosted.example"],
    frameOrigins: ["https://fields.example"],
  },
  processorOrigins: ["https://*.processor.example", "https://both.example"],
  issuerOrigins: ["https://*.acs.example", "https://both.example"],
} as unknown as PurchaseJob;

describe("of a purchase", () => {
  const partyOf = createPartyOf(PURCHASE);
  it.each([
    ["https://www.store.example/cart", "merchant"],
    ["https://checkout.store.example/", "merchant"],
    ["https://pay.hosted.example/c/1", "merchant"],
    ["https://js.processor.example/v3", "processor"],
    ["https://fields.example/frame", "processor"],
    ["https://bank.acs.example/challenge", "issuer"],
    // A 3-D Secure service that is also a processor.
    ["https://both.example/", "issuer"],
    ["http://www.store.example/", "unknown"],
    ["https://store.example.attacker.example/", "unknown"],
    ["https://attackerstore.example/", "unknown"],
    ["https://acs.example/", "unknown"],
    ["https://other.hosted.example/", "unknown"],
    ["https://moved.example/", "unknown"],
    ["about:blank", "unknown"],
  ])("%s is %s", (url, party) => expect(partyOf(url)).toBe(party));
});

it("of an exploration: the merchant's site, and no other", () => {
  const job = { kind: "explored", merchant: null, request: { merchantUrl: "https://store.example/item" } };
  const partyOf = createPartyOf(job as unknown as ExplorationJob);
  expect(partyOf("https://store.example/")).toBe("merchant");
  expect(partyOf("https://js.processor.example/")).toBe("unknown");
});
