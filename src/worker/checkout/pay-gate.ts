/**
 * Lets a payment leave at most once. From the release of the card on, the gate decides about every request of every page,
 * frame, worker and socket of the order (`gate/decision.ts`). Before the first request that may change state, it records the
 * submission. It sends payments itself, because Chromium sends a request again when a reused connection drops.
 */
import type { APIResponse, BrowserContext, Request, Route } from "playwright-core";
import { isPrivateConnection } from "./card-receivers.ts";
import { createCardDetector } from "./gate/carried-card.ts";
import { decide } from "./gate/decision.ts";
import type { RequestFacts } from "./gate/facts.ts";
import { opaqueValuesIn } from "./gate/opaque-values.ts";
import { createPartyOf, mayFollow, type PartyOptions } from "./gate/parties.ts";
import type { Profile } from "./gate/profile.ts";
import { idempotencyValuesIn } from "./gate/profiles.ts";
import { contentsOf, factsOf, type RequestContents, socketFactsOf } from "./gate/request-facts.ts";
import { isUnsent, sendOnce, textOfResponse } from "./gate/send-once.ts";
import { type Outcome, settle } from "./gate/settlement.ts";
import { guardSockets, type SocketMessage } from "./gate/sockets.ts";
import { allowAfterChallenge, allowReview, close, type GateState, INITIAL_STATE, press } from "./gate/state.ts";
import { guardWorkers } from "./gate/workers.ts";
import { isSafe, keyOf, readKeyOf } from "./request-key.ts";
import type { Traffic } from "./traffic.ts";

export interface PayGate {
  /** Watches for the card's number from now on. Call it before the card is typed. */
  watchCard(number: string): void;
  /** The control that pays is about to be pressed. @param payUrl address of its form; null without a form */
  press(payUrl: string | null): void;
  /** Lets the payment through again after the first 3-D Secure challenge, because merchants resend it with the bank's result. */
  allowAfterChallenge(): void;
  /** Lets the control of a review page place the order, after the card was stored. */
  allowReview(payUrl: string | null): void;
  /** Payments let through, in order. */
  readonly sent: readonly SentRequest[];
  /** Number of rejected requests. */
  readonly refused: number;
  /** True after the response to a payment was lost. Nothing is let through after that. */
  readonly isLost: boolean;
  /** Whether a request that can change state left any page since the card was released, or may have. */
  readonly hasLeft: boolean;
  /** Whether the record of the submission is pending. No payment has left then. */
  readonly isCommitting: boolean;
  /** Why the submission could not be recorded; null if it was, or was not needed. The gate is then closed. */
  readonly failure: Error | null;
  /** Whether the submission was recorded, or its record was requested. */
  readonly isCommitted: boolean;
  /** Records the submission of a payment that no decision recognised, for an order that the merchant confirms. */
  recordUnrecognised(record: () => Promise<void>): Promise<void>;
  /** Rejects all further payments, for as long as the pages exist. Resolves when no decision is pending. */
  close(): Promise<void>;
}

export interface SentRequest {
  readonly url: string;
  /** Null while the response is pending, or if it was lost. */
  httpStatus: number | null;
  /** `unsent`: no byte of the request was written. */
  state: "sent" | "responded" | "lost" | "unsent";
}

export interface PayGateOptions extends PartyOptions {
  /** Address of the pay control's form; null without a form. */
  readonly payUrl: string | null;
  /** Whether a URL certainly receives the payment, by the recipe. */
  readonly isPayPath: (url: string) => boolean;
  readonly traffic: Pick<Traffic, "seen" | "values" | "fingerprint">;
  readonly profiles: readonly Profile[];
  readonly responseMs: number;
  /** Records the submission. Called once, before the first request that may change state leaves. A rejection closes the gate. */
  readonly commit: () => Promise<void>;
  /** Called when a payment has left. */
  readonly onSent?: (sent: SentRequest) => void;
}

/** Installs the gate. Call it before the card is released. */
export async function installPayGate(context: BrowserContext, options: PayGateOptions): Promise<PayGate> {
  const { traffic, profiles, responseMs } = options;
  const sent: SentRequest[] = [];
  // Contains requests from before the control is pressed only; requests that the press causes are new.
  const repeated = new Set(traffic.seen);
  const knownValues = new Set(traffic.values);
  const responses = new Map<string, Promise<APIResponse | null>>();
  let state: GateState = INITIAL_STATE;
  let carriesCard: (texts: readonly string[]) => boolean = () => false;
  let { payUrl } = options;
  let refused = 0;
  let countedRequests = 0;
  let commitment: Promise<void> | null = null;
  let isRecorded = false;
  let failure: Error | null = null;
  const sources = {
    partyOf: createPartyOf(options),
    isPayUrl: (url: string) =>
      (payUrl !== null && withoutFragment(url) === withoutFragment(payUrl)) || options.isPayPath(url),
    carriesCard: (texts: readonly string[]) => carriesCard(texts),
    fingerprint: traffic.fingerprint,
    isKnownValue: (value: string) => knownValues.has(value),
    wasSeen: (key: string) => repeated.has(key),
    profiles,
  };

  const reject = async (route: Route) => {
    refused += 1;
    // The page may have navigated meanwhile, which cancels the request.
    await route.abort("failed").catch(() => {});
  };

  /** Records the submission once. Returns false if the request must not leave. */
  async function commit(): Promise<boolean> {
    // After the end of an order, nothing may be recorded for what does not leave.
    if (commitment === null && state.phase === "closed") return false;
    commitment ??= options.commit();
    try {
      await commitment;
      isRecorded = true;
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error("The submission was not recorded.");
      state = close(state);
    }
    return state.phase !== "closed";
  }

  async function handle(route: Route, request: Request): Promise<void> {
    const contents = contentsOf(request);
    const facts = factsOf(request, contents, sources);
    if (facts.carriesCard && !isPrivateConnection(request.url())) return await reject(route);
    const before = state;
    const { verdict, state: after } = decide(before, facts);
    if (verdict === "pass") {
      if (before.phase === "typing" && facts.isSafe && facts.isScripted) repeated.add(readKeyOf(request));
      return await route.fallback();
    }
    // Neither a challenge nor a review permits the same request twice.
    if (verdict === "refuse" || verdict === "pay") {
      if (await repeatResponse(route, request, contents)) return;
      if (verdict === "refuse") return await reject(route);
    }
    state = after;
    if (verdict === "count") {
      if (state.phase === "typing" && !facts.hasBlob) repeated.add(keyOf(request).exact);
      countedRequests += 1;
      if (await commit()) return await route.fallback();
      countedRequests -= 1;
      return await reject(route);
    }
    await send(route, request, contents, { facts, before, after });
  }

  async function send(
    route: Route,
    request: Request,
    contents: RequestContents,
    payment: { readonly facts: RequestFacts; readonly before: GateState; readonly after: GateState },
  ): Promise<void> {
    const entry: SentRequest = { url: request.url(), httpStatus: null, state: "sent" };
    sent.push(entry);
    const pending = Promise.withResolvers<APIResponse | null>();
    for (const key of repetitionKeysOf(request, contents, profiles)) responses.set(key, pending.promise);
    const end = (outcome: Outcome) => {
      entry.state = outcome.type;
      state = settle(state, payment, outcome);
    };
    if (!(await commit())) {
      end({ type: "unsent" });
      pending.resolve(null);
      return await reject(route);
    }
    options.onSent?.(entry);
    try {
      const response = await sendOnce(context, route, responseMs, (url) =>
        mayFollow(payment.facts, url, sources.partyOf),
      );
      const values = [...opaqueValuesIn(await textOfResponse(response))].map(traffic.fingerprint);
      entry.httpStatus = response.status();
      end({
        type: "responded",
        httpStatus: response.status(),
        values: values.filter((value) => !knownValues.has(value)),
      });
      pending.resolve(response);
      await route.fulfill({ response });
    } catch (error) {
      if (entry.state === "sent") end({ type: isUnsent(error) ? "unsent" : "lost" });
      pending.resolve(null);
      await route.abort("failed").catch(() => {});
    }
  }

  /** Responds to a repetition of a payment with the payment's own response. Nothing leaves. */
  async function repeatResponse(route: Route, request: Request, contents: RequestContents): Promise<boolean> {
    const keys = repetitionKeysOf(request, contents, profiles).filter((key) => responses.has(key));
    for (const key of keys) {
      const response = await responses.get(key);
      if (!response) continue;
      await route.fulfill({ response });
      return true;
    }
    return false;
  }

  /** Decides about a message of a WebSocket as about a request without a response. */
  async function handleMessage(message: SocketMessage): Promise<boolean> {
    const before = state;
    const facts = socketFactsOf(message, sources);
    const { verdict, state: after } = decide(before, facts);
    if (verdict === "pass") return true;
    if (verdict === "refuse") {
      refused += 1;
      return false;
    }
    state = after;
    const entry: SentRequest = { url: message.url, httpStatus: null, state: "responded" };
    if (verdict === "pay") sent.push(entry);
    else countedRequests += 1;
    if (state.phase === "typing" && !facts.hasBlob) seenMessages.add(message.kind);
    if (await commit()) {
      if (verdict === "pay") options.onSent?.(entry);
      return true;
    }
    if (verdict === "pay") entry.state = "unsent";
    else countedRequests -= 1;
    refused += 1;
    return false;
  }

  // The browser follows these redirects without a route. They repeat method and body, so what they reach may change state.
  context.on("request", (request) => {
    if (request.redirectedFrom() === null || isSafe(request.method()) || state.phase === "typing") return;
    if (sources.partyOf(request.url()) !== "merchant") return;
    countedRequests += 1;
    void commit();
  });

  const seenMessages = guardSockets(context, handleMessage);
  await guardWorkers(context);
  await context.route(() => true, handle);
  return {
    watchCard(number) {
      carriesCard = createCardDetector(number);
    },
    press(url) {
      payUrl = url;
      state = press(state);
    },
    allowAfterChallenge() {
      state = allowAfterChallenge(state);
    },
    allowReview(url) {
      payUrl = url;
      state = allowReview(state);
    },
    sent,
    get refused() {
      return refused;
    },
    get isLost() {
      return state.isLost;
    },
    get hasLeft() {
      return countedRequests > 0 || sent.some((entry) => entry.state !== "unsent");
    },
    get failure() {
      return failure;
    },
    get isCommitting() {
      return commitment !== null && !isRecorded && failure === null;
    },
    get isCommitted() {
      return commitment !== null;
    },
    async recordUnrecognised(record) {
      countedRequests += 1;
      commitment ??= record();
      await commit();
      if (failure !== null) throw failure;
    },
    async close() {
      state = close(state);
      await commitment?.catch(() => {});
    },
  };
}

/** Returns what identifies repetitions of a payment: the whole request, and idempotency values that a profile names. */
function repetitionKeysOf(request: Request, { body }: RequestContents, profiles: readonly Profile[]): string[] {
  const { kind } = keyOf(request);
  const values = idempotencyValuesIn(profiles, body).map((value) => `${kind} ${value}`);
  return [`${request.method()} ${request.url()} ${body}`, ...values];
}

const withoutFragment = (url: string) => url.split("#", 1)[0] ?? "";
