/** What the response to a payment changes. */
import type { RequestFacts } from "./facts.ts";
import type { GateState } from "./state.ts";

/** What happened to a request that paid. */
export type Outcome =
  | { readonly type: "responded"; readonly httpStatus: number; readonly values: readonly string[] }
  /** No response arrived although the request may have. */
  | { readonly type: "lost" }
  /** No byte of the request was written. */
  | { readonly type: "unsent" };

/** A request that paid, with the states before and after its decision. */
export interface Payment {
  readonly facts: RequestFacts;
  readonly before: GateState;
  readonly after: GateState;
}

/** Members that a payment consumes. */
const CONSUMED = [
  ...["cardUses", "hasCardLeft", "tokenUses", "merchantUses", "otherUses", "blobUses", "spentTokens"],
  ...["paidKinds", "isCertain", "completionUses"],
] as readonly (keyof GateState)[];

/** Returns the state after a request that paid has ended. */
export function settle(state: GateState, { facts, before, after }: Payment, outcome: Outcome): GateState {
  if (outcome.type === "lost") return { ...state, isLost: true };
  if (outcome.type === "unsent") {
    // Only what no other request has consumed since.
    const isUnchanged = CONSUMED.every((member) => state[member] === after[member]);
    return isUnchanged
      ? { ...state, ...Object.fromEntries(CONSUMED.map((member) => [member, before[member]])) }
      : state;
  }
  const bearsTokens = facts.carriesCard || (facts.target === "processor" && isTokenRequest(before, facts));
  // What the request itself contained, such as the id of the merchant's payment, existed before.
  const fresh = bearsTokens ? outcome.values.filter((value) => !facts.values.includes(value)) : [];
  const isFirst = before.completionUses === 0 && state.completionUses === 0;
  const isAccepted = facts.target === "merchant" && outcome.httpStatus < 400;
  return {
    ...state,
    // After a server error the outcome is unknown.
    isLost: state.isLost || outcome.httpStatus >= 500,
    tokens: fresh.length > 0 ? new Set([...state.tokens, ...fresh]) : state.tokens,
    completionUses: isFirst && isAccepted ? 1 : state.completionUses,
  };
}

const isTokenRequest = ({ tokens }: GateState, { values }: RequestFacts) => values.some((value) => tokens.has(value));
