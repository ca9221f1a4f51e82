import type { Request, Response } from "express";
import { strangerEvmAddress } from "../identities.ts";
import { once } from "./once.ts";
import type { RequirementV1 } from "./requirements.ts";
import { type PaymentV1, paymentResponse, type Settled, type Till } from "./till.ts";

/** A paid request to a misbehaving shop. */
interface Encounter {
  request: Request;
  response: Response;
  payment: PaymentV1;
  requirement: RequirementV1;
}

export interface Fault {
  /** Completes "a shop that …". */
  says: string;
  /** What happens once a payment came that names what was offered. */
  paid(encounter: Encounter): unknown;
  /** Twists the offer. */
  offer?(requirement: RequirementV1): RequirementV1;
  scheme?: "upto";
}

export interface MisbehaviourDeps {
  till: Till;
  shopUrl(): string;
  /** Another origin, which records what it is sent. */
  elsewhereUrl(): string;
  /** Calls back when the faults should forget what they met. */
  onReset(forget: () => void): void;
}

const FALSE_HASH = `0x${"ab".repeat(32)}`;

/** What can go wrong after paying, by name. Those that settle do so once an authorization, as a careful shop would. */
export function misbehaviours(deps: MisbehaviourDeps): Record<string, Fault> {
  const { till, shopUrl, elsewhereUrl } = deps;
  const authorization = ({ payment }: Encounter) => JSON.stringify(payment.payload);
  const settleOnce = once(authorization, ({ payment, requirement }: Encounter) => till.settle(payment, requirement));
  const met = new Set<string>();
  deps.onReset(() => {
    settleOnce.forget();
    met.clear();
  });
  const thank = (response: Response, settled: Settled) =>
    response.set("X-PAYMENT-RESPONSE", paymentResponse(settled)).json({ served: true });
  function firstTime(encounter: Encounter): boolean {
    const key = encounter.request.path + authorization(encounter);
    return !met.has(key) && met.add(key) !== undefined;
  }

  return {
    "settles-then-500": {
      says: "takes the money, then fails, every time",
      async paid(encounter) {
        await settleOnce(encounter);
        encounter.response.status(500).json({ error: "Out of order" });
      },
    },
    "settles-then-500-once": {
      says: "takes the money and fails; serves when the same payment comes again",
      async paid(encounter) {
        const settled = await settleOnce(encounter);
        if (firstTime(encounter)) encounter.response.status(500).json({ error: "Out of order" });
        else thank(encounter.response, settled);
      },
    },
    "settles-then-drops": {
      says: "takes the money, then drops the connection",
      async paid(encounter) {
        await settleOnce(encounter);
        encounter.response.socket?.destroy();
      },
    },
    "settles-then-drops-once": {
      says: "takes the money and drops the connection; serves when the same payment comes again",
      async paid(encounter) {
        const settled = await settleOnce(encounter);
        if (firstTime(encounter)) encounter.response.socket?.destroy();
        else thank(encounter.response, settled);
      },
    },
    "settles-then-hangs": { says: "takes the money, then never answers", paid: settleOnce },
    "settles-then-402": {
      says: "takes the money, then asks for it again",
      async paid(encounter) {
        await settleOnce(encounter);
        encounter.response.status(402).json(till.bill([encounter.requirement], "insufficient_funds"));
      },
    },
    "402-again": {
      says: "takes nothing and asks again",
      paid: ({ response, requirement }) => response.status(402).json(till.bill([requirement], "invalid_payment")),
    },
    "402-dearer": {
      says: "takes nothing and asks again for more",
      paid({ response, requirement }) {
        const dearer = { ...requirement, maxAmountRequired: String(2n * BigInt(requirement.maxAmountRequired)) };
        response.status(402).json(till.bill([dearer], "price_changed"));
      },
    },
    "false-hash": {
      says: "takes nothing and claims a transaction that does not exist",
      paid: ({ response, requirement }) =>
        thank(response, {
          success: true,
          transaction: FALSE_HASH,
          network: requirement.network,
          payer: strangerEvmAddress,
        }),
    },
    "no-receipt": {
      says: "takes the money and serves without a receipt",
      async paid(encounter) {
        await settleOnce(encounter);
        encounter.response.json({ served: true });
      },
    },
    hangs: { says: "takes nothing and never answers", paid: () => {} },
    slow: {
      says: "serves after ?ms= milliseconds (2000)",
      async paid(encounter) {
        await new Promise((resolve) => setTimeout(resolve, Number(encounter.request.query["ms"] ?? 2_000)));
        thank(encounter.response, await settleOnce(encounter));
      },
    },
    "redirect-elsewhere": {
      says: "sends the payer to another origin once paid",
      paid: ({ response }) => response.redirect(307, `${elsewhereUrl()}/elsewhere`),
    },
    "redirect-private": {
      says: "sends the payer to a private address once paid (?to= chooses which)",
      paid: ({ request, response }) =>
        response.redirect(307, String(request.query["to"] ?? "http://169.254.169.254/latest/meta-data/")),
    },
    "redirect-loop": {
      says: "sends the payer round in circles once paid",
      paid: ({ response }) => response.redirect(307, `${shopUrl()}/fault/redirect-loop`),
    },
    "large-headers": {
      says: "takes the money and answers with 64 KiB of headers",
      async paid(encounter) {
        const settled = await settleOnce(encounter);
        for (let n = 0; n < 8; n++) encounter.response.set(`X-Large-${n}`, "x".repeat(8_192));
        thank(encounter.response, settled);
      },
    },
    "foreign-spender": {
      says: "upto whose permit would go to a stranger instead of the facilitator",
      scheme: "upto",
      offer: (requirement) => ({
        ...requirement,
        extra: { ...requirement.extra, facilitatorAddress: strangerEvmAddress },
      }),
      async paid(encounter) {
        thank(encounter.response, await till.settle(encounter.payment, encounter.requirement));
      },
    },
    "wrong-domain": {
      says: "an EIP-712 domain that is not the token's",
      offer: (requirement) => ({ ...requirement, extra: { name: "USD Coin", version: "1" } }),
      async paid(encounter) {
        thank(encounter.response, await till.settle(encounter.payment, encounter.requirement));
      },
    },
  };
}
