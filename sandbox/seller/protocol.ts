import type { Request } from "express";
import type { RequirementV1 } from "./requirements.ts";

/** A decoded version 1 `X-PAYMENT` header. */
export interface PaymentV1 {
  x402Version: number;
  scheme: string;
  network: string;
  payload: Record<string, unknown>;
}

/** Response of `/settle`. `transaction` is empty if no transaction was submitted. */
export interface Settled {
  success: boolean;
  transaction: string;
  network: string;
  payer?: string;
  errorReason?: string;
}

/** The seller's side of X402 protocol version 1, implemented from the specification. */
export interface SellerProtocol {
  /** Returns the body of a 402 response. */
  paymentRequiredBody(accepts: unknown[], error?: string): { x402Version: 1; error: string; accepts: unknown[] };
  /** Decodes the payment of a request. Returns undefined if there is none or it is invalid. */
  decodePayment(request: Request): PaymentV1 | undefined;
  /** Verifies a payment through the facilitator. Returns undefined for a valid payment, otherwise the rejection reason. */
  findPaymentError(payment: PaymentV1, requirement: RequirementV1): Promise<string | undefined>;
  settle(payment: PaymentV1, requirement: RequirementV1): Promise<Settled>;
}

export function createSellerProtocol(facilitatorUrl: string): SellerProtocol {
  async function callFacilitator<T>(
    endpoint: "verify" | "settle",
    payment: PaymentV1,
    requirement: RequirementV1,
  ): Promise<T> {
    const response = await fetch(`${facilitatorUrl}/${endpoint}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x402Version: 1, paymentPayload: payment, paymentRequirements: requirement }),
    });
    return (await response.json()) as T;
  }

  return {
    paymentRequiredBody: (accepts, error = "X-PAYMENT header is required") => ({ x402Version: 1, error, accepts }),
    decodePayment(request) {
      const header = request.get("x-payment");
      if (!header) return undefined;
      try {
        const decoded = JSON.parse(Buffer.from(header, "base64").toString("utf8")) as PaymentV1;
        return typeof decoded.payload === "object" && decoded.payload !== null ? decoded : undefined;
      } catch {
        return undefined;
      }
    },
    async findPaymentError(payment, requirement) {
      const verdict = await callFacilitator<{ isValid: boolean; invalidReason?: string }>(
        "verify",
        payment,
        requirement,
      );
      return verdict.isValid ? undefined : (verdict.invalidReason ?? "invalid_payment");
    },
    settle: (payment, requirement) => callFacilitator<Settled>("settle", payment, requirement),
  };
}

/** Returns the base64 value of the `X-PAYMENT-RESPONSE` header. */
export function paymentResponse(settled: Settled): string {
  return Buffer.from(JSON.stringify(settled)).toString("base64");
}

/** Returns the offered requirement with the payment's scheme and network. Returns undefined if none was offered. */
export function matchingRequirement(payment: PaymentV1, accepts: RequirementV1[]): RequirementV1 | undefined {
  return accepts.find(({ scheme, network }) => scheme === payment.scheme && network === payment.network);
}
