/** Payment gates of the sandbox's providers: X402 version 1 or 2 with `exact` or `upto`, or an API key. */
import type { Request, Response } from "express";
import { facilitatorEvm, sellerEvmAddress } from "../identities.ts";
import { NETWORKS } from "../networks.ts";
import { dedupe } from "../seller/dedupe.ts";
import { paymentResponse, type SellerProtocol, type Settled } from "../seller/protocol.ts";
import { MAX_TIMEOUT_SECONDS, requirementV1 } from "../seller/requirements.ts";
import { GAS_SPONSORING } from "../seller/version2.ts";

/** Maximum and actual cost of a call, in the smallest unit of USDC. */
export interface Charge {
  capAtomic: bigint;
  actualAtomic: bigint;
}

/** Resolves with true if the request is paid. Otherwise it has sent a response, and resolves with false. */
export type Gate = (request: Request, response: Response, charge: Charge) => Promise<boolean>;

export const SANDBOX_LLM_KEY = "sandbox-llm-key";
const NETWORK = NETWORKS["base-sepolia"];
const DESCRIPTION = "A chat completion";

export const keyGate: Gate = async (request, response) => {
  if (request.get("authorization") === `Bearer ${SANDBOX_LLM_KEY}`) return true;
  const error = { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" };
  response.status(401).json({ error });
  return false;
};

/** Settles an authorization once. A repeated one is served again, because a buyer whose connection broke has paid. */
export function version1Gate(sellerProtocol: SellerProtocol, url: () => string, scheme: "exact" | "upto"): Gate {
  const settle = dedupe(
    ({ payment }: { payment: { payload: unknown } }) => JSON.stringify(payment.payload),
    ({ payment, requirement }: { payment: never; requirement: never }) => sellerProtocol.settle(payment, requirement),
  );
  return async (request, response, { capAtomic, actualAtomic }) => {
    const amountAtomic = scheme === "exact" ? actualAtomic : capAtomic;
    const requirement = requirementV1(
      { network: "base-sepolia", scheme, amountAtomic },
      { url: url() + request.originalUrl, description: DESCRIPTION },
    );
    const payment = sellerProtocol.decodePayment(request);
    if (!payment) return refuse(response, sellerProtocol.paymentRequiredBody([requirement]));
    const charged = { ...requirement, maxAmountRequired: actualAtomic.toString() };
    const settled = await settle({ payment: payment as never, requirement: charged as never });
    if (!settled.success)
      return refuse(response, sellerProtocol.paymentRequiredBody([requirement], settled.errorReason));
    response.set("X-PAYMENT-RESPONSE", paymentResponse({ ...settled, amount: actualAtomic.toString() } as Settled));
    return true;
  };
}

/** The gate of X402 version 2: requirements, payment and receipt are headers. */
export function version2LlmGate(facilitatorUrl: string, url: () => string, scheme: "exact" | "upto"): Gate {
  const settle = dedupe(
    ({ payment }: { payment: { payload: unknown }; requirement: object }) => JSON.stringify(payment.payload),
    async ({ payment, requirement }) => {
      const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: requirement };
      const reply = await fetch(`${facilitatorUrl}/settle`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await reply.json()) as Settled;
    },
  );
  return async (request, response, { capAtomic, actualAtomic }) => {
    const resource = { url: url() + request.originalUrl, description: DESCRIPTION, mimeType: "application/json" };
    const upto = { assetTransferMethod: "permit2", facilitatorAddress: facilitatorEvm.address };
    const requirement = {
      scheme,
      network: NETWORK.caip2,
      amount: String(scheme === "exact" ? actualAtomic : capAtomic),
      asset: NETWORK.usdc,
      payTo: sellerEvmAddress,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
      extra: { ...NETWORK.usdcDomain, ...(scheme === "upto" && upto) },
    };
    const extensions = scheme === "upto" ? { extensions: { eip2612GasSponsoring: GAS_SPONSORING } } : {};
    const requestPayment = (error: string) => {
      const required = { x402Version: 2, error, resource, accepts: [requirement], ...extensions };
      response.set("PAYMENT-REQUIRED", Buffer.from(JSON.stringify(required)).toString("base64"));
      return refuse(response, {});
    };
    const payment = decode(request.get("payment-signature"));
    if (!payment) return requestPayment("PAYMENT-SIGNATURE header is required");
    const settled = await settle({ payment, requirement: { ...requirement, amount: actualAtomic.toString() } });
    if (!settled.success) return requestPayment(settled.errorReason ?? "settlement_failed");
    response.set("PAYMENT-RESPONSE", paymentResponse({ ...settled, amount: actualAtomic.toString() } as Settled));
    return true;
  };
}

function refuse(response: Response, body: object): false {
  response.status(402).json(body);
  return false;
}

function decode(header: string | undefined): { payload: unknown } | null {
  try {
    return header ? JSON.parse(Buffer.from(header, "base64").toString("utf8")) : null;
  } catch {
    return null;
  }
}
