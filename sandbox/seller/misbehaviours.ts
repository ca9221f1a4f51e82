import type { Request, Response } from "express";
import { unrelatedEvmAddress } from "../identities.ts";
import { dedupe } from "./dedupe.ts";
import { type PaymentV1, paymentResponse, type SellerProtocol, type Settled } from "./protocol.ts";
import type { RequirementV1 } from "./requirements.ts";

/** A paid request to a faulty seller. */
interface PaidRequest {
  request: Request;
  response: Response;
  payment: PaymentV1;
  requirement: RequirementV1;
}

export interface Fault {
  /** Description that completes "a seller that …". */
  says: string;
  /** Handles a payment that matches the offer. */
  paid(paidRequest: PaidRequest): unknown;
  /** Modifies the offer. */
  offer?(requirement: RequirementV1): RequirementV1;
  scheme?: "upto";
}

export interface MisbehaviourDeps {
  protocol: SellerProtocol;
  sellerUrl(): string;
  /** Another origin, which records its requests. */
  elsewhereUrl(): string;
  /** Registers a listener for the reset of all faults. */
  onReset(listener: () => void): void;
}

const FALSE_HASH = `0x${"ab".repeat(32)}`;

/** Faults after payment, by name. Faults that settle do so once per authorization, like a correct seller. */
export function misbehaviours(deps: MisbehaviourDeps): Record<string, Fault> {
  const { protocol, sellerUrl, elsewhereUrl } = deps;
  const authorization = ({ payment }: PaidRequest) => JSON.stringify(payment.payload);
  const settleOnce = dedupe(authorization, ({ payment, requirement }: PaidRequest) =>
    protocol.settle(payment, requirement),
  );
  const seen = new Set<string>();
  deps.onReset(() => {
    settleOnce.clear();
    seen.clear();
  });
  const sendResource = (response: Response, settled: Settled) =>
    response.set("X-PAYMENT-RESPONSE", paymentResponse(settled)).json({ served: true });
  function isFirstAttempt(paidRequest: PaidRequest): boolean {
    const key = paidRequest.request.path + authorization(paidRequest);
    return !seen.has(key) && seen.add(key) !== undefined;
  }

  return {
    "settles-then-500": {
      says: "settles and then always fails",
      async paid(paidRequest) {
        await settleOnce(paidRequest);
        paidRequest.response.status(500).json({ error: "Out of order" });
      },
    },
    "settles-then-500-once": {
      says: "settles and fails; serves a repeated payment",
      async paid(paidRequest) {
        const settled = await settleOnce(paidRequest);
        if (isFirstAttempt(paidRequest)) paidRequest.response.status(500).json({ error: "Out of order" });
        else sendResource(paidRequest.response, settled);
      },
    },
    "settles-then-drops": {
      says: "settles and drops the connection",
      async paid(paidRequest) {
        await settleOnce(paidRequest);
        paidRequest.response.socket?.destroy();
      },
    },
    "settles-then-drops-once": {
      says: "settles and drops the connection; serves a repeated payment",
      async paid(paidRequest) {
        const settled = await settleOnce(paidRequest);
        if (isFirstAttempt(paidRequest)) paidRequest.response.socket?.destroy();
        else sendResource(paidRequest.response, settled);
      },
    },
    "settles-then-hangs": { says: "settles and never responds", paid: settleOnce },
    "settles-then-402": {
      says: "settles and requires payment again",
      async paid(paidRequest) {
        await settleOnce(paidRequest);
        paidRequest.response
          .status(402)
          .json(protocol.paymentRequiredBody([paidRequest.requirement], "insufficient_funds"));
      },
    },
    "402-again": {
      says: "does not settle and requires payment again",
      paid: ({ response, requirement }) =>
        response.status(402).json(protocol.paymentRequiredBody([requirement], "invalid_payment")),
    },
    "402-dearer": {
      says: "does not settle and requires a higher payment",
      paid({ response, requirement }) {
        const doubled = { ...requirement, maxAmountRequired: String(2n * BigInt(requirement.maxAmountRequired)) };
        response.status(402).json(protocol.paymentRequiredBody([doubled], "price_changed"));
      },
    },
    "false-hash": {
      says: "does not settle and names a nonexistent transaction",
      paid: ({ response, requirement }) =>
        sendResource(response, {
          success: true,
          transaction: FALSE_HASH,
          network: requirement.network,
          payer: unrelatedEvmAddress,
        }),
    },
    "no-receipt": {
      says: "settles and serves without a receipt",
      async paid(paidRequest) {
        await settleOnce(paidRequest);
        paidRequest.response.json({ served: true });
      },
    },
    hangs: { says: "does not settle and never responds", paid: () => {} },
    slow: {
      says: "serves after ?ms= milliseconds (default: 2000)",
      async paid(paidRequest) {
        await new Promise((resolve) => setTimeout(resolve, Number(paidRequest.request.query["ms"] ?? 2_000)));
        sendResource(paidRequest.response, await settleOnce(paidRequest));
      },
    },
    "redirect-elsewhere": {
      says: "redirects to another origin after payment",
      paid: ({ response }) => response.redirect(307, `${elsewhereUrl()}/elsewhere`),
    },
    "redirect-private": {
      says: "redirects to a private address after payment (?to= sets the URL)",
      paid: ({ request, response }) =>
        response.redirect(307, String(request.query["to"] ?? "http://169.254.169.254/latest/meta-data/")),
    },
    "redirect-loop": {
      says: "redirects in a loop after payment",
      paid: ({ response }) => response.redirect(307, `${sellerUrl()}/fault/redirect-loop`),
    },
    "large-headers": {
      says: "settles and responds with 160 KiB of headers",
      async paid(paidRequest) {
        const settled = await settleOnce(paidRequest);
        for (let n = 0; n < 20; n++) paidRequest.response.set(`X-Large-${n}`, "x".repeat(8_192));
        sendResource(paidRequest.response, settled);
      },
    },
    "foreign-spender": {
      says: "names an unknown spender instead of the facilitator in an upto offer",
      scheme: "upto",
      offer: (requirement) => ({
        ...requirement,
        extra: { ...requirement.extra, facilitatorAddress: unrelatedEvmAddress },
      }),
      async paid(paidRequest) {
        sendResource(paidRequest.response, await protocol.settle(paidRequest.payment, paidRequest.requirement));
      },
    },
    "wrong-domain": {
      says: "names an EIP-712 domain other than the token's",
      offer: (requirement) => ({ ...requirement, extra: { name: "USD Coin", version: "1" } }),
      async paid(paidRequest) {
        sendResource(paidRequest.response, await protocol.settle(paidRequest.payment, paidRequest.requirement));
      },
    },
  };
}
