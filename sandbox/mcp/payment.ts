/** The seller's side of X402 over MCP, written from x402's `specs/transports-v2/mcp.md` (X402 version 2). */
import { NETWORKS } from "../networks.ts";
import { dedupe } from "../seller/dedupe.ts";
import { MAX_TIMEOUT_SECONDS, payTo } from "../seller/requirements.ts";

const PAYMENT_KEY = "x402/payment";
const PAYMENT_RESPONSE_KEY = "x402/payment-response";

/** A result of `tools/call`. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: object;
  isError?: boolean;
  _meta?: object;
}

/** Payment in `_meta` of a call. `accepted` repeats the offer. */
export interface ToolPayment {
  x402Version: number;
  accepted: object;
  payload: { authorization?: { nonce?: string } };
}

export interface ToolSettlement {
  success: boolean;
  transaction: string;
  network: string;
  payer?: string;
  errorReason?: string;
}

/** Price of a tool in USDC's smallest unit on Base Sepolia. */
export function toolOffer(amountAtomic: bigint): object {
  const network = NETWORKS["base-sepolia"];
  return {
    scheme: "exact",
    network: network.caip2,
    amount: amountAtomic.toString(),
    asset: network.usdc,
    payTo: payTo("base-sepolia"),
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: network.usdcDomain,
  };
}

/** Returns the payment of a call; undefined if it has none. */
export function readPayment(params: { _meta?: Record<string, unknown> }): ToolPayment | undefined {
  const payment = params._meta?.[PAYMENT_KEY];
  return typeof payment === "object" && payment !== null ? (payment as ToolPayment) : undefined;
}

/** Returns the requirements, as an object and as text. `isTextOnly` leaves the object out, as older servers do. */
export function paymentRequired(
  tool: string,
  offers: unknown,
  error: string,
  { isTextOnly = false, settlement }: { isTextOnly?: boolean; settlement?: ToolSettlement } = {},
): ToolResult {
  const resource = { url: `mcp://tool/${tool}`, description: `The tool ${tool}`, mimeType: "application/json" };
  const required = { x402Version: 2, error, resource, accepts: offers };
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify(required) }],
    ...(isTextOnly ? {} : { structuredContent: required }),
    ...(settlement ? { _meta: { [PAYMENT_RESPONSE_KEY]: settlement } } : {}),
  };
}

export function withSettlement(result: ToolResult, settlement: ToolSettlement): ToolResult {
  return { ...result, _meta: { [PAYMENT_RESPONSE_KEY]: settlement } };
}

/** Calls of the facilitator. A payment is settled once; a repeated one gets the same settlement. */
export function createToolPayments(facilitatorUrl: string) {
  async function call<Result>(endpoint: "verify" | "settle", payment: ToolPayment, offer: object): Promise<Result> {
    const response = await fetch(`${facilitatorUrl}/${endpoint}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x402Version: 2, paymentPayload: payment, paymentRequirements: offer }),
    });
    return (await response.json()) as Result;
  }
  const settleOnce = dedupe(
    ({ payment }: { payment: ToolPayment; offer: object }) => JSON.stringify(payment.payload),
    ({ payment, offer }) => call<ToolSettlement>("settle", payment, offer),
  );
  const settled = new Set<string>();
  return {
    /** Returns the reason for rejecting the payment; undefined if it is valid or was settled before. */
    async findError(payment: ToolPayment, offer: object): Promise<string | undefined> {
      if (settled.has(JSON.stringify(payment.payload))) return undefined;
      const verdict = await call<{ isValid: boolean; invalidReason?: string }>("verify", payment, offer);
      return verdict.isValid ? undefined : (verdict.invalidReason ?? "invalid_payment");
    },
    async settle(payment: ToolPayment, offer: object): Promise<ToolSettlement> {
      const settlement = await settleOnce({ payment, offer });
      if (settlement.success) settled.add(JSON.stringify(payment.payload));
      return settlement;
    },
    clear() {
      settleOnce.clear();
      settled.clear();
    },
  };
}

export type ToolPayments = ReturnType<typeof createToolPayments>;
