/** Delivery of a provider's 200 response to the caller, complete or streamed, and settlement of its usage. */
import type { Readable } from "node:stream";
import type { AccountViewer } from "../accounts/viewer.ts";
import { readBounded } from "../platform/egress/body.ts";
import { formatUsd } from "../platform/money.ts";
import type { Attempt } from "./attempt.ts";
import { createChunkReader } from "./chunk-reader.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import { listTexts, type Output } from "./output-text.ts";
import type { ProviderResponse } from "./pay-by-x402.ts";
import { settleAbortedCall } from "./payment.ts";
import { createProviderFailure } from "./provider-failure.ts";
import { listAudioIds, recordIds } from "./provider-ids.ts";
import { findProviderError, type ProviderError } from "./provider-reason.ts";
import { relayStream } from "./relay-stream.ts";
import { countText } from "./tokens.ts";
import { completeUsage, NO_USAGE, type ReportedUsage, readUsage, type Usage } from "./usage.ts";
import { createUsageBody } from "./usage-body.ts";

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** An OpenAI chat completion. */
export type Completion = Readonly<Record<string, unknown>> & {
  readonly choices: readonly { readonly message?: Output | null }[];
};

/** A complete response. */
export interface CompleteResponse {
  readonly completion: Completion;
  /** The completion as JSON. */
  readonly text: string;
}

export interface ChatResult {
  readonly callId: string;
  /** ID of the ledger entry that paid for the call; null for a free call. */
  readonly paymentId: string | null;
  /** The cost; for a stream whose cost is known only at its end, the maximum. */
  readonly costMicroUsd: bigint;
  /** The complete response, or null if `stream` is set. */
  readonly complete: CompleteResponse | null;
  /** Server-sent events; must be read or destroyed. */
  readonly stream: Readable | null;
}

/**
 * Reads the complete response and settles its usage.
 *
 * @throws {ProviderFault | ProviderRefusedError} if the response is an error, truncated or malformed; a provider paid by usage is then
 *   not paid.
 */
export async function deliverComplete(
  { db, gateway }: GatewayDeps,
  { accountId }: AccountViewer,
  attempt: Attempt,
  response: ProviderResponse,
): Promise<ChatResult> {
  const { call, offer } = attempt;
  const { payment } = response;
  let completion: Completion;
  let textWithoutUsage: string;
  let used: Usage;
  let audioIds: readonly string[];
  let failure: ProviderError | null = null;
  const timeout = setTimeout(() => response.body.destroy(), gateway.timeouts.totalMs).unref();
  try {
    completion = JSON.parse(await readBounded(response.body, MAX_RESPONSE_BYTES)) as Completion;
    failure = findProviderError(completion);
    const reported = readUsage(completion?.["usage"], offer.provider.costUnit);
    if (failure || !hasChoices(completion, reported)) throw new Error("The response has no choices.");
    const { choices } = completion;
    // Inside the try block: a response nested too deeply to be serialised counts as malformed.
    textWithoutUsage = JSON.stringify({ ...completion, usage: undefined });
    audioIds = choices.flatMap(({ message }) => listAudioIds(message));
    const tier = completion["service_tier"];
    used = await completeUsage(reported, {
      prompt: attempt.promptTokens,
      completion: () => estimateTokens(choices.flatMap(({ message }) => listTexts(message)).join("\n")),
      images: attempt.bound.images,
      servedTier: typeof tier === "string" ? tier : null,
    });
  } catch {
    if (attempt.signal?.aborted) await settleAbortedCall(attempt, payment);
    attempt.signal?.throwIfAborted();
    const transactionId = await payment.release("The provider's response was malformed or incomplete.");
    const { headers } = response;
    if (failure) {
      throw createProviderFailure({ provider: offer.provider, status: 200, headers, error: failure, transactionId });
    }
    // Omits the cause, which may contain the response.
    throw new ProviderFault(`${offer.provider.name} sent a truncated or malformed response.`, { transactionId });
  } finally {
    clearTimeout(timeout);
  }
  call.begin(offer.provider.name);
  await recordIds(db, accountId, audioIds);
  const costMicroUsd = await payment.settle(used);
  call.end({ status: "completed", used, costMicroUsd });
  const usage = createUsageBody(completion["usage"], used, costMicroUsd);
  const text = `${textWithoutUsage.slice(0, -1)},"usage":${JSON.stringify(usage)}}`;
  return {
    callId: call.id,
    paymentId: payment.transactionId,
    costMicroUsd,
    complete: { completion: { ...completion, usage }, text },
    stream: null,
  };
}

/** Providers respond without choices to prompts that they block. Without a report of usage, the response is no completion. */
function hasChoices({ choices }: Completion, reported: ReportedUsage | null): boolean {
  return Array.isArray(choices) && (choices.length > 0 || reported !== null);
}

const estimateTokens = async (text: string): Promise<number> => (await countText(text)).estimatedTokens;

/**
 * Relays the stream and resolves with its first bytes.
 * @throws {ProviderFault | ProviderRefusedError} if there are none.
 */
export async function deliverStream(
  deps: GatewayDeps,
  { accountId }: AccountViewer,
  attempt: Attempt,
  response: ProviderResponse,
): Promise<ChatResult> {
  const { call, offer, request } = attempt;
  const { payment, body } = response;
  const reader = createChunkReader(request.body.n ?? 1, offer.provider);
  const countUsage = async (status: "completed" | "aborted" | "failed"): Promise<Usage> => {
    const text = reader.text();
    const { usage, servedTier, hasLaterOutput } = reader;
    // A provider that fails before any output charges nothing.
    if (status === "failed" && text === "" && !usage?.completion) return NO_USAGE;
    return await completeUsage(usage, {
      prompt: attempt.promptTokens,
      completion: () => estimateTokens(text),
      ...{ images: attempt.bound.images, servedTier, hasLaterOutput },
    });
  };
  const settleStream = async (status: "completed" | "aborted" | "failed"): Promise<string> => {
    let used: Usage | null = null;
    let costMicroUsd: bigint | null = null;
    try {
      await recordIds(deps.db, accountId, reader.audioIds);
      used = await countUsage(status);
      costMicroUsd = await payment.settle(used);
    } catch (error) {
      deps.logger.error({ err: error, callId: call.id }, "Settlement of the call failed");
      await payment.release("The usage could not be determined.").catch(() => {});
    }
    const errorCode = status === "failed" ? { errorCode: "provider_failed" } : {};
    call.end({ status, ...(used && { used }), costMicroUsd, ...errorCode });
    if (used === null || costMicroUsd === null) return "";
    const [counted, charged] = [used, costMicroUsd];
    const usageChunk = request.isUsageRequested
      ? reader.formatUsageChunk((reported) => createUsageBody(reported, counted, charged))
      : "";
    // Clients skip comments unless they need the cost.
    return `${usageChunk}: x-satchel-cost-usd ${formatUsd(charged)}\n\n`;
  };
  const { first, body: stream } = relayStream(body, reader, settleStream, deps.gateway.timeouts.idleMs);
  const onAbort = () => void stream.destroy();
  attempt.signal?.addEventListener("abort", onAbort, { once: true });
  const timeout = setTimeout(
    () => stream.destroy(new Error("The response exceeded the maximum duration.")),
    deps.gateway.timeouts.totalMs,
  ).unref();
  // The stream may fail before it has a reader.
  stream.on("error", () => {});
  stream.once("close", () => {
    clearTimeout(timeout);
    attempt.signal?.removeEventListener("abort", onAbort);
  });
  if (attempt.signal?.aborted) onAbort();
  try {
    await first;
  } catch {
    if (attempt.signal?.aborted) await settleAbortedCall(attempt, payment);
    attempt.signal?.throwIfAborted();
    const transactionId = await payment.release("The provider sent no response.");
    const failure = reader.findEarlyError();
    const { headers } = response;
    if (failure) {
      throw createProviderFailure({ provider: offer.provider, status: 200, headers, error: failure, transactionId });
    }
    // Omits the cause, which may contain the response.
    throw new ProviderFault(`${offer.provider.name} sent no response.`, { transactionId });
  }
  call.begin(offer.provider.name);
  const costMicroUsd = payment.knownMicroUsd ?? payment.reservedMicroUsd;
  return { callId: call.id, paymentId: payment.transactionId, costMicroUsd, complete: null, stream };
}
