import { encodePaymentResponseHeader } from "@x402/core/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainPaymentError } from "../../../src/payments/x402/explain.ts";
import { decodePaymentResponse } from "../../../src/payments/x402/response.ts";
import { FACILITATOR } from "./fixtures.ts";

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
const TX = `0x${"ab".repeat(32)}`;

describe("a payment response header", () => {
  it("of the reference's version 2 is decoded", () => {
    const header = encodePaymentResponseHeader({
      success: true,
      transaction: TX,
      network: "eip155:84532",
      payer: FACILITATOR.toLowerCase(),
      amount: "1858",
    });
    expect(decodePaymentResponse({ "Payment-Response": header })).toEqual({
      success: true,
      txHash: TX,
      payer: FACILITATOR,
      network: "base-sepolia",
      errorReason: null,
      chargedAtomic: 1858n,
    });
  });

  it("of version 1 is decoded, with either name for the hash", () => {
    const v1 = { success: true, transaction: TX, network: "base", payer: FACILITATOR };
    expect(decodePaymentResponse({ "x-payment-response": base64(v1) })).toMatchObject({ txHash: TX, network: "base" });
    const old = { success: false, error: "insufficient_funds", txHash: TX, networkId: "8453" };
    expect(decodePaymentResponse({ "X-PAYMENT-RESPONSE": [base64(old)] })).toMatchObject({
      success: false,
      txHash: TX,
      errorReason: "insufficient_funds",
      chargedAtomic: null,
    });
  });

  it("ignores members in an invalid form", () => {
    const odd = { success: "yes", transaction: "0x12", payer: "me", network: "mars", errorReason: 7, amount: "-1" };
    expect(decodePaymentResponse({ "payment-response": base64(odd) })).toEqual({
      success: false,
      txHash: null,
      payer: null,
      network: null,
      errorReason: null,
      chargedAtomic: null,
    });
  });

  it("that is invalid counts as absent", () => {
    expect(decodePaymentResponse({})).toBeNull();
    expect(decodePaymentResponse({ "payment-response": base64({ filler: "x".repeat(20_000) }) })).toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue().map(base64)), (header) => {
        const response = decodePaymentResponse({ "payment-response": header });
        expect(response === null || typeof response.success === "boolean").toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("explainPaymentError", () => {
  it.each([
    "insufficient_funds",
    "invalid_scheme",
    "unsupported_scheme",
    "invalid_network",
    "invalid_x402_version",
    "invalid_exact_evm_payload_signature",
    "invalid_exact_svm_payload_transaction_instructions_length",
    "invalid_transaction_state",
    "invalid_exact_evm_signature",
    "invalid_exact_evm_insufficient_balance",
    "invalid_exact_evm_nonce_already_used",
    "invalid_exact_evm_token_name_mismatch",
  ])("explains %s", (code) => {
    const { message } = explainPaymentError(code);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message).not.toContain(code);
  });

  it("gives the same message for both names of an error", () => {
    expect(explainPaymentError("invalid_exact_evm_signature").message).toBe(
      explainPaymentError("invalid_exact_evm_payload_signature").message,
    );
  });

  it("quotes an unknown code, truncated and printable", () => {
    const { code, message } = explainPaymentError(`odd\u0000\n${"x".repeat(500)}`);
    expect(code).toHaveLength(100);
    expect(code).toMatch(/^[\x20-\x7e]+$/);
    expect(message).toContain(code);
  });
});
