/** State of the pay gate: what has left since the card was released, and what may still leave. */

export interface GateState {
  readonly phase: "typing" | "pressed" | "closed";
  /** True after the response to a payment was lost. */
  readonly isLost: boolean;
  /** How many more requests may carry the card. `form`: only the form of the review step. */
  readonly cardUses: 0 | 1 | "form";
  readonly hasCardLeft: boolean;
  /** How many more requests to the merchant may carry a token. */
  readonly tokenUses: number;
  /** How many more requests may change the merchant's state without card and token. */
  readonly merchantUses: number;
  /** The same for each other origin; absent: one. */
  readonly otherUses: ReadonlyMap<string, number>;
  /** How many more requests to a processor may carry encrypted data. */
  readonly blobUses: number;
  /** Fingerprints of opaque values in responses to requests with the card or a token. */
  readonly tokens: ReadonlySet<string>;
  /** Unknown origins that received a token. */
  readonly tokenOrigins: ReadonlySet<string>;
  /** Tokens that a processor received. */
  readonly spentTokens: ReadonlySet<string>;
  /** Kinds of the requests that paid. */
  readonly paidKinds: ReadonlySet<string>;
  /** Kinds of posts by which a bank's frame returned to the merchant. */
  readonly returnKinds: ReadonlySet<string>;
  /** Whether a request with the card or a token paid the merchant. Only then is it certain that others do not. */
  readonly isCertain: boolean;
  /** Whether the control of a review was pressed: the merchant has the card. */
  readonly isReviewing: boolean;
  /** Whether a challenge was recognised. Further ones permit nothing more. */
  readonly hasChallenged: boolean;
  /** Kinds of requests, sent before the card was released, that may have paid since. */
  readonly changedKinds: ReadonlySet<string>;
  /** Kinds of reads of the merchant after the press. Each may have paid. */
  readonly readKinds: ReadonlySet<string>;
  /** Whether anything else left after the press that may have paid. */
  readonly hasChanged: boolean;
  /** Whether the merchant accepted a payment and a named completion may follow. */
  readonly completionUses: number;
}

export const INITIAL_STATE: GateState = {
  phase: "typing",
  isLost: false,
  cardUses: 1,
  hasCardLeft: false,
  tokenUses: 0,
  merchantUses: 1,
  otherUses: new Map(),
  blobUses: 1,
  tokens: new Set(),
  tokenOrigins: new Set(),
  spentTokens: new Set(),
  paidKinds: new Set(),
  returnKinds: new Set(),
  isCertain: false,
  isReviewing: false,
  hasChallenged: false,
  changedKinds: new Set(),
  readKinds: new Set(),
  hasChanged: false,
  completionUses: 0,
};

/** The control was pressed: payments may leave from now on. */
export function press(state: GateState): GateState {
  return state.phase === "typing" ? { ...state, phase: "pressed" } : state;
}

/**
 * A bank's challenge was recognised: merchants send the payment again with the bank's result. Tokens may be used again, too.
 * Only the first challenge permits it, so no page obtains a third payment by further ones.
 */
export function allowAfterChallenge(state: GateState): GateState {
  if (state.isLost || state.phase !== "pressed" || state.hasChallenged) return state;
  const cardUses = state.hasCardLeft ? 1 : state.cardUses;
  const tokenUses = state.hasCardLeft ? 1 : 0;
  const merchant = { merchantUses: 1, changedKinds: new Set<string>(), readKinds: new Set<string>() };
  const others = { blobUses: 1, spentTokens: new Set<string>(), otherUses: new Map<string, number>() };
  return { ...state, ...merchant, ...others, cardUses, tokenUses, hasChallenged: true };
}

/** The card was stored and a review of the order is shown: its control may be pressed, and its form may carry the card. */
export function allowReview(state: GateState): GateState {
  if (state.isLost || state.phase !== "pressed") return state;
  const cardUses = state.hasCardLeft ? "form" : 1;
  const merchant = {
    merchantUses: 1,
    changedKinds: new Set<string>(),
    readKinds: new Set<string>(),
    hasChanged: false,
  };
  return { ...state, ...merchant, cardUses, tokenUses: 1, otherUses: new Map(), isCertain: false, isReviewing: true };
}

/** Nothing that could pay may leave any more. */
export function close(state: GateState): GateState {
  return { ...state, phase: "closed" };
}
