/**
 * Decides which requests may leave after the card was released, from facts about each request. No knowledge of a platform is
 * needed: profiles may only permit what neither carries the card or a token nor repeats a payment.
 */
import type { Party, RequestFacts } from "./facts.ts";
import type { GateState } from "./state.ts";

/**
 * - `pass`: leaves; it cannot pay.
 * - `count`: leaves; it may change state, so the submission is recorded first.
 * - `pay`: leaves once, after the submission is recorded. Its response decides.
 * - `refuse`: does not leave.
 */
type Verdict = "pass" | "count" | "pay" | "refuse";

interface Decision {
  readonly verdict: Verdict;
  readonly state: GateState;
}

/** Decides about one request. */
export function decide(state: GateState, facts: RequestFacts): Decision {
  const refused: Decision = { verdict: "refuse", state };
  const isEnded = state.phase === "closed" || state.isLost;
  const tokens = facts.values.filter((value) => state.tokens.has(value));
  if (facts.carriesCard) return isEnded ? refused : decideCard(state, facts);
  if (tokens.length > 0) return isEnded ? refused : decideToken(state, facts, tokens);
  if (facts.isSafe) return decideSafe(state, facts);
  return decideChange(state, facts);
}

/** The card leaves once, and not to the merchant before the control is pressed. */
function decideCard(state: GateState, facts: RequestFacts): Decision {
  const isProcessor = facts.target === "processor";
  const isForm = facts.navigates === "page" && facts.isPayUrl;
  const mayLeave = state.cardUses === 1 || (state.cardUses === "form" && isForm);
  if (!mayLeave || (state.phase === "typing" && (!isProcessor || facts.navigates !== null)))
    return { verdict: "refuse", state };
  return paying(state, facts, {
    cardUses: 0,
    hasCardLeft: true,
    // When the card leaves again after a challenge, it brings no further payment.
    tokenUses: state.hasCardLeft ? state.tokenUses : 1,
    // A processor may only have stored the card, so that a request to the merchant pays.
    merchantUses: !isProcessor ? 0 : state.hasCardLeft ? state.merchantUses : 1,
    otherUses: new Map(),
    isCertain: !isProcessor,
  });
}

/**
 * A token pays once at the merchant. Between a processor's own pages each token is used once. An unknown origin receives one
 * request with a token, such as a tracker that receives the order's number.
 */
function decideToken(state: GateState, facts: RequestFacts, tokens: readonly string[]): Decision {
  const { target, source, permit, navigates, isSafe } = facts;
  if (target === "issuer" || (target === "other" && (navigates === "frame" || isOfBank(source))))
    return { verdict: "count", state };
  if (target === "processor") {
    if (isSafe && source === "processor") return { verdict: "count", state };
    if (tokens.every((token) => state.spentTokens.has(token))) {
      const isPermitted = permit === "three_d_secure" && !state.paidKinds.has(facts.kind);
      return { verdict: isPermitted ? "count" : "refuse", state };
    }
    return paying(state, facts, { spentTokens: new Set([...state.spentTokens, ...tokens]) });
  }
  if (state.phase === "typing") return { verdict: "refuse", state };
  if (target === "other") {
    if (state.tokenOrigins.has(facts.origin)) return { verdict: "refuse", state };
    const next: GateState = { ...state, tokenOrigins: new Set([...state.tokenOrigins, facts.origin]) };
    return isSafe ? { verdict: "count", state: next } : paying(next, facts, {});
  }
  if (state.tokenUses === 0) return { verdict: "refuse", state };
  return paying(state, facts, { tokenUses: 0, merchantUses: 0, isCertain: true });
}

/**
 * The form of the pressed control may use GET, and a link or a script may place an order with a card that is stored. No such read
 * is repeated until something else may have paid, because pages poll after that.
 */
function decideSafe(state: GateState, facts: RequestFacts): Decision {
  const { navigates, target, kind, isScripted, wasSeen } = facts;
  const isPage = navigates === "page";
  if (facts.isPayUrl && isPage && facts.hasBlob)
    return state.phase === "pressed" ? decideMerchant(state, facts) : { verdict: "refuse", state };
  const isRead = target === "merchant" && (isPage || (isScripted && !wasSeen));
  if (!isRead || state.phase === "typing" || state.paidKinds.size > 0) return { verdict: "pass", state };
  if (state.phase === "closed" || (state.readKinds.has(kind) && !state.hasChanged)) return { verdict: "refuse", state };
  return { verdict: "count", state: { ...state, readKinds: new Set([...state.readKinds, kind]) } };
}

function decideChange(state: GateState, facts: RequestFacts): Decision {
  const { target, source, navigates, isPayUrl, permit, kind } = facts;
  const isCertain = navigates === "page" || isPayUrl;
  if (facts.wasSeen && !isCertain) return decideSeen(state, facts);
  if (permit !== null && !isCertain && isPermissible(state, facts)) {
    if (permit !== "completion") return { verdict: "count", state };
    if (state.completionUses > 0 && !state.isLost && state.phase === "pressed")
      return paying(state, facts, { completionUses: 0 });
  }
  if (facts.isBeacon && !isPayUrl) return { verdict: "count", state };
  if (target === "issuer" || (isOfBank(source) && target !== "merchant")) return { verdict: "count", state };
  if (isOfBank(source) && navigates === "frame") {
    if (state.returnKinds.has(kind) || state.phase !== "pressed") return { verdict: "refuse", state };
    return { verdict: "count", state: { ...state, returnKinds: new Set([...state.returnKinds, kind]) } };
  }
  if (target === "processor") return decideProcessor(state, facts);
  return target === "merchant" ? decideMerchant(state, facts) : decideOther(state, facts);
}

/**
 * One endpoint may receive both what a page saves while it is filled in and the payment with a card that is stored. With other
 * contents, such a request leaves once, and never after a payment of its kind. While a token that stands for the card has yet to
 * pay, others cannot.
 */
function decideSeen(state: GateState, { kind, target, isRepeated }: RequestFacts): Decision {
  if (state.phase === "typing" || target !== "merchant" || isRepeated) return { verdict: "pass", state };
  if (state.phase === "closed" || state.isLost || state.paidKinds.has(kind)) return { verdict: "refuse", state };
  const mayPay = state.isReviewing || !state.hasCardLeft;
  if (!mayPay) return { verdict: "count", state };
  if (state.changedKinds.has(kind)) return { verdict: "refuse", state };
  const changedKinds = new Set([...state.changedKinds, kind]);
  return { verdict: "count", state: { ...state, changedKinds, hasChanged: true } };
}

/**
 * Whether a profile may permit a request. It permits no repetition of a payment, and at the merchant only what follows a payment
 * with the card or a token. A profile that names a payment by mistake therefore permits no second one.
 */
function isPermissible(
  { paidKinds, isCertain, blobUses }: GateState,
  { kind, target, hasBlob, permit, namesPayment }: RequestFacts,
): boolean {
  if (paidKinds.has(kind)) return false;
  if (target === "merchant" && namesPayment && permit !== "completion") return false;
  if (target === "processor") return !hasBlob || blobUses === 0;
  return target !== "merchant" || (isCertain && !hasBlob);
}

function decideMerchant(state: GateState, facts: RequestFacts): Decision {
  if (state.phase === "typing") {
    const isCertain = facts.navigates === "page" || facts.isPayUrl;
    return { verdict: isCertain ? "refuse" : "count", state };
  }
  if (state.phase === "closed" || state.isLost || state.merchantUses === 0) return { verdict: "refuse", state };
  return paying(state, facts, { merchantUses: 0 });
}

/** Processors charge what the merchant created. Only encrypted card data could charge without card and token. */
function decideProcessor(state: GateState, facts: RequestFacts): Decision {
  if (!facts.hasBlob)
    return { verdict: "count", state: state.phase === "pressed" ? { ...state, hasChanged: true } : state };
  if (state.phase === "closed" || state.isLost || state.blobUses === 0) return { verdict: "refuse", state };
  return paying(state, facts, { blobUses: 0 });
}

/** An unknown origin may be the merchant's interface or a tracker. It gets one request, and one after the card has left. */
function decideOther(state: GateState, facts: RequestFacts): Decision {
  const uses = state.otherUses.get(facts.origin) ?? 1;
  if (state.phase === "closed" || state.isLost || uses === 0) return { verdict: "refuse", state };
  if (state.phase === "typing") return { verdict: facts.navigates === "page" ? "refuse" : "count", state };
  const next: GateState = { ...state, otherUses: new Map([...state.otherUses, [facts.origin, 0]]) };
  return facts.hasBlob ? paying(next, facts, {}) : { verdict: "count", state: next };
}

function paying(state: GateState, { kind }: RequestFacts, change: Partial<GateState>): Decision {
  return { verdict: "pay", state: { ...state, ...change, paidKinds: new Set([...state.paidKinds, kind]) } };
}

/** Documents of neither the merchant nor a processor are those of banks, which cannot pay the merchant again. */
const isOfBank = (source: Party) => source === "issuer" || source === "other";
