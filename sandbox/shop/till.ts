import type { Request } from "express";
import type { RequirementV1 } from "./requirements.ts";

/** A decoded version 1 `X-PAYMENT` header. */
export interface PaymentV1 {
  x402Version: number;
  scheme: string;
  network: string;
  payload: Record<string, unknown>;
}

/** The `/settle` answer; `transaction` is empty when nothing reached the chain. */
export interface Settled {
  success: boolean;
  transaction: string;
  network: string;
  payer?: string;
  errorReason?: string;
}

/** A version 1 shop's side of the protocol, written from its specification: ask, verify, settle, confirm. */
export interface Till {
  /** The body of a 402. */
  bill(accepts: unknown[], error?: string): { x402Version: 1; error: string; accepts: unknown[] };
  /** The payment that came with a request, when it can be decoded. */
  payment(request: Request): PaymentV1 | undefined;
  /** Asks the facilitator; undefined when the payment is good, else the reason why not. */
  refusal(payment: PaymentV1, requirement: RequirementV1): Promise<string | undefined>;
  settle(payment: PaymentV1, requirement: RequirementV1): Promise<Settled>;
}

export function createTill(facilitatorUrl: string): Till {
  async function ask<T>(question: "verify" | "settle", payment: PaymentV1, requirement: RequirementV1): Promise<T> {
    const response = await fetch(`${facilitatorUrl}/${question}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x402Version: 1, paymentPayload: payment, paymentRequirements: requirement }),
    });
    return (await response.json()) as T;
  }

  return {
    bill: (accepts, error = "X-PAYMENT header is required") => ({ x402Version: 1, error, accepts }),
    payment(request) {
      const header = request.get("x-payment");
      if (!header) return undefined;
      try {
        const decoded = JSON.parse(Buffer.from(header, "base64").toString("utf8")) as PaymentV1;
        return typeof decoded.payload === "object" && decoded.payload !== null ? decoded : undefined;
      } catch {
        return undefined;
      }
    },
    async refusal(payment, requirement) {
      const verdict = await ask<{ isValid: boolean; invalidReason?: string }>("verify", payment, requirement);
      return verdict.isValid ? undefined : (verdict.invalidReason ?? "invalid_payment");
    },
    settle: (payment, requirement) => ask<Settled>("settle", payment, requirement),
  };
}

/** The value of `X-PAYMENT-RESPONSE`. */
export function paymentResponse(settled: Settled): string {
  return Buffer.from(JSON.stringify(settled)).toString("base64");
}

/** The requirement a payment answers, among those that were offered. */
export function answeredRequirement(payment: PaymentV1, accepts: RequirementV1[]): RequirementV1 | undefined {
  return accepts.find(({ scheme, network }) => scheme === payment.scheme && network === payment.network);
}
