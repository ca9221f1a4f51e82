/** Checkout amounts and caps are integers in minor units. Validation rejects fractions independently of the API types. */
import { describe, expect, it } from "vitest";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { parseOrderRequest } from "../../src/checkout/order-request.ts";
import { evaluatePolicy, periodsOf } from "../../src/checkout/policy/evaluate-policy.ts";
import { checkTerms, createPolicyDocument, type PolicyTerms } from "../../src/checkout/policy/policy-document.ts";
import { CONSTRAINT_FIELDS, checkConstraints } from "../../src/checkout/quote/constraints.ts";

const FRACTIONS = [12.5, 4_999.999_999, 0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
const NOW = new Date("2026-11-10T12:00:00Z");
const TERMS: PolicyTerms = {
  currency: "GBP",
  perOrderMaxMinor: 5_000,
  dailyMaxMinor: 8_000,
  monthlyMaxMinor: 20_000,
  allowedMerchantIds: null,
  blockedMerchantIds: [],
  allowedCountries: [],
  newMerchant: "allow",
  shipToOther: "allow",
  cardIds: [],
  notBefore: null,
  expiresAt: new Date("2027-02-01T00:00:00Z"),
};

describe("a policy's limits", () => {
  const fields = ["perOrderMaxMinor", "dailyMaxMinor", "monthlyMaxMinor"] as const;

  it.each(fields)("rejects a fractional %s and names the field", (field) => {
    // The other limits are the widest allowed, so only the fraction is invalid.
    const [, ...above] = fields.slice(fields.indexOf(field));
    const widest = { ...TERMS, perOrderMaxMinor: 1, dailyMaxMinor: 1, monthlyMaxMinor: 1 };
    for (const wider of above) widest[wider] = Number.MAX_SAFE_INTEGER;
    expect(() => checkTerms({ ...widest, [field]: 12 }, NOW)).not.toThrow();
    for (const fraction of FRACTIONS) {
      expect(() => checkTerms({ ...widest, [field]: fraction }, NOW), String(fraction)).toThrow(
        expect.objectContaining({ code: "invalid_request", field }),
      );
    }
  });

  it.each(fields)("covers no order with a fractional %s in a signed document", (field) => {
    const covers = (terms: PolicyTerms) => {
      const document = createPolicyDocument(
        terms,
        { id: "pol_1", version: 1, sub: "did:web:x:users:1", agent_id: null },
        NOW,
      );
      const { day, month } = periodsOf(NOW);
      const used = { day: new Date(day), dayUsedMinor: 0n, month: new Date(month), monthUsedMinor: 0n };
      const row = {
        document,
        policySha256: canonicalDigest(document),
        activeSlot: "account",
        revokedAt: null,
        ...used,
      };
      const merchant = {
        merchantId: "mer_1",
        merchantCountryCode: "GB",
        recordIds: [],
        isNewCardEntry: false,
        isNewMerchant: false,
        isShippedElsewhere: false,
      };
      return evaluatePolicy(row, { ...merchant, currency: "GBP", amountMinor: 1, cardId: "card_1" }, NOW);
    };
    expect(covers(TERMS)).toEqual({ covered: true });
    expect(covers({ ...TERMS, [field]: 6_000.5 })).toEqual({ covered: false, reason: "policy_invalid" });
  });
});

it.each(Object.keys(CONSTRAINT_FIELDS))("rejects a fractional cap %s of a cart and names the field", (field) => {
  expect(checkConstraints({ [field]: 12 })).toMatchObject({ [field]: 12 });
  for (const fraction of FRACTIONS) {
    expect(() => checkConstraints({ [field]: fraction }), String(fraction)).toThrow(
      expect.objectContaining({ code: "constraints_invalid", field: `constraints.${field}` }),
    );
  }
});

it("rejects a fractional amount of a dispatch and names the field", () => {
  const dispatch = {
    ...{ merchantId: "mer_1", items: [{ sku: "socks", quantity: 1 }], currency: "GBP", cardId: null },
    ...{ fulfillmentOptionId: null, pickupLocation: null, pickupLocationId: null, shipTo: null, constraints: null },
    ...{ userConfirmationText: "Yes", userApprovedAt: new Date(), userPrompt: null },
    ...{ shipToSha256: null, approvalToken: null, idempotencyKey: null },
  };
  expect(parseOrderRequest({ ...dispatch, amountMinor: 12 })).toMatchObject({ amountMinor: 12 });
  for (const amountMinor of FRACTIONS) {
    expect(() => parseOrderRequest({ ...dispatch, amountMinor }), String(amountMinor)).toThrow(
      expect.objectContaining({ code: "invalid_request", field: "amountMinor" }),
    );
  }
});
