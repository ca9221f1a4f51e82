/** Requests of a checkout, as the gate decides about them. */
import type { RequestFacts } from "../../src/worker/checkout/gate/facts.ts";
import type { Payment } from "../../src/worker/checkout/gate/settlement.ts";
import type { GateState } from "../../src/worker/checkout/gate/state.ts";

export const QUIET: RequestFacts = {
  ...{ kind: "POST /noise", origin: "https://shop.example", target: "merchant", source: "merchant" },
  ...{ isSafe: false, isBeacon: false, navigates: null, isPayUrl: false, carriesCard: false },
  ...{ values: [], hasBlob: false, wasSeen: false, isRepeated: false, permit: null },
  ...{ isScripted: true, namesPayment: false },
};
export const TOKEN = "token";
export const PROCESSOR = { origin: "https://pay.example", target: "processor", source: "processor" } as const;

export const TOKENISE: RequestFacts = { ...QUIET, ...PROCESSOR, kind: "POST /tokens", carriesCard: true };
export const PAY: RequestFacts = { ...QUIET, kind: "POST /pay" };
export const paymentOf = (facts: RequestFacts, before: GateState, after: GateState): Payment => ({
  facts,
  before,
  after,
});
