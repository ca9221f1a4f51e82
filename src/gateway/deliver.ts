/** Delivery of a provider's 200 response to the caller, complete or streamed, and settlement of its usage. */
import type { Readable } from "node:stream";
import { readBounded } from "../platform/egress/body.ts";
import { formatUsd } from "../platform/money.ts";
import { type Attempt, MAX_RESPONSE_DURATION_MS } from "./attempt.ts";
import { createChunkReader } from "./chunk-reader.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import type { ProviderResponse } from "./pay-by-x402.ts";
import { settleAbortedCall } from "./payment.ts";
import type { TokenCounts } from "./price.ts";
import { relayStream } from "./relay-stream.ts";
import { countTokens } from "./tokens.ts";
import { readUsage } from "./usage.ts";

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** An OpenAI chat completion. */
export type Completion = Readonly<Record<string, unknown>> & { readonly choices: readonly unknown[] };

/** A complete response. */
export interface CompleteResponse {
  readonly completion: Completion;
  /** The provider's original text. */
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
 * @throws {ProviderFault} if the response is truncated or malformed; a provider paid by usage is then not paid.
 */
export async function deliverComplete(attempt: Attempt, response: ProviderResponse): Promise<ChatResult> {
  const { call, offer } = attempt;
  const { payment } = response;
  let text: string;
  let completion: Completion;
  let used: TokenCounts;
  const timeout = setTimeout(() => response.body.destroy(), MAX_RESPONSE_DURATION_MS).unref();
  try {
    text = await readBounded(response.body, MAX_RESPONSE_BYTES);
    completion = JSON.parse(text) as Completion;
    if (!Array.isArray(completion?.choices)) throw new Error("The response has no choices.");
    // Inside the try block: a response nested too deeply to be serialised counts as malformed.
    used = readUsage(completion["usage"]) ?? {
      prompt: await attempt.promptTokens(),
      completion: await countTokens(JSON.stringify(completion.choices)),
    };
  } catch {
    if (attempt.signal?.aborted) await settleAbortedCall(attempt, payment);
    attempt.signal?.throwIfAborted();
    await payment.release("The provider's response was malformed or incomplete.");
    // Omits the cause, which may contain the response.
    const { transactionId } = payment;
    throw new ProviderFault(`${offer.provider.name} sent a truncated or malformed response.`, {
      transactionId,
    });
  } finally {
    clearTimeout(timeout);
  }
  call.begin(offer.provider.name);
  const costMicroUsd = await payment.settle(used);
  call.end({ status: "completed", used, costMicroUsd });
  return {
    callId: call.id,
    paymentId: payment.transactionId,
    costMicroUsd,
    complete: { completion, text },
    stream: null,
  };
}

/** Relays the stream and resolves with its first bytes. @throws {ProviderFault} if there are none. */
export async function deliverStream(
  deps: GatewayDeps,
  attempt: Attempt,
  response: ProviderResponse,
): Promise<ChatResult> {
  const { call, offer, request } = attempt;
  const { payment, body } = response;
  const reader = createChunkReader(request.body.n ?? 1, request.isUsageRequested);
  const settleStream = async (status: "completed" | "aborted" | "failed"): Promise<string> => {
    let used: TokenCounts | null = null;
    let costMicroUsd: bigint | null = null;
    try {
      used = reader.usage ?? {
        prompt: await attempt.promptTokens(),
        completion: await countTokens(reader.text()),
      };
      costMicroUsd = await payment.settle(used);
    } catch (error) {
      deps.logger.error({ err: error, callId: call.id }, "Settlement of the call failed");
      await payment.release("The usage could not be determined.").catch(() => {});
    }
    const errorCode = status === "failed" ? { errorCode: "provider_failed" } : {};
    call.end({ status, ...(used && { used }), costMicroUsd, ...errorCode });
    // Clients skip comments unless they need the cost.
    return costMicroUsd === null ? "" : `: x-satchel-cost-usd ${formatUsd(costMicroUsd)}\n\n`;
  };
  const { first, body: stream } = relayStream(body, reader, settleStream);
  const onAbort = () => void stream.destroy();
  attempt.signal?.addEventListener("abort", onAbort, { once: true });
  const timeout = setTimeout(
    () => stream.destroy(new Error("The response exceeded the maximum duration.")),
    MAX_RESPONSE_DURATION_MS,
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
    await payment.release("The provider sent no response.");
    // Omits the cause, which may contain the response.
    const { transactionId } = payment;
    throw new ProviderFault(`${offer.provider.name} sent no response.`, { transactionId });
  }
  call.begin(offer.provider.name);
  const costMicroUsd = payment.knownMicroUsd ?? payment.reservedMicroUsd;
  return { callId: call.id, paymentId: payment.transactionId, costMicroUsd, complete: null, stream };
}
