/** From a provider's 200 to what the caller gets: whole, or as it comes. Either way it is paid for what was used. */
import type { Readable } from "node:stream";
import { readBounded } from "../platform/egress/body.ts";
import { formatUsd } from "../platform/money.ts";
import { type Attempt, LONGEST_ANSWER_MS } from "./attempt.ts";
import { createChunkReader } from "./chunk-reader.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import type { ProviderResponse } from "./pay-by-x402.ts";
import { settleAbortedCall } from "./payment.ts";
import type { TokenCounts } from "./price.ts";
import { relayStream } from "./relay-stream.ts";
import { countTokens } from "./tokens.ts";
import { readUsage } from "./usage.ts";

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** An OpenAI chat completion. */
export type Completion = Readonly<Record<string, unknown>> & { readonly choices: readonly unknown[] };

/** An answer that is there as a whole. */
export interface WholeAnswer {
  readonly completion: Completion;
  /** The same as the provider wrote it. */
  readonly text: string;
}

export interface ChatAnswer {
  readonly callId: string;
  /** The ledger's id of what paid for it; null for a free call. */
  readonly paymentId: string | null;
  /** For a stream the most it can become, where that is not known before its end. */
  readonly costMicroUsd: bigint;
  /** Exactly one of the two is there. */
  readonly whole: WholeAnswer | null;
  /** Server-sent events; must be read or destroyed. */
  readonly stream: Readable | null;
}

/** @throws {ProviderFault} the answer broke off, or is none. Whoever is paid for what is used gets nothing for it. */
export async function deliverWhole(attempt: Attempt, response: ProviderResponse): Promise<ChatAnswer> {
  const { call, offer } = attempt;
  const { payment } = response;
  let text: string;
  let completion: Completion;
  let used: TokenCounts;
  const limit = setTimeout(() => response.body.destroy(), LONGEST_ANSWER_MS).unref();
  try {
    text = await readBounded(response.body, MAX_ANSWER_BYTES);
    completion = JSON.parse(text) as Completion;
    if (!Array.isArray(completion?.choices)) throw new Error("There are no choices in it.");
    // Here, for an answer that cannot be counted is none either: it may be nested deeper than any text can be made of.
    used = readUsage(completion["usage"]) ?? {
      prompt: await attempt.promptTokens(),
      completion: await countTokens(JSON.stringify(completion.choices)),
    };
  } catch {
    if (attempt.signal?.aborted) await settleAbortedCall(attempt, payment);
    attempt.signal?.throwIfAborted();
    await payment.giveBack("The provider's answer was none.");
    // Without its cause, which may quote the answer.
    const { transactionId } = payment;
    throw new ProviderFault(`${offer.provider.name} did not finish its answer, or broke its format.`, {
      transactionId,
    });
  } finally {
    clearTimeout(limit);
  }
  call.begin(offer.provider.name);
  const costMicroUsd = await payment.settle(used);
  call.end({ status: "completed", used, costMicroUsd });
  return { callId: call.id, paymentId: payment.transactionId, costMicroUsd, whole: { completion, text }, stream: null };
}

/** Resolves with the stream's first bytes. @throws {ProviderFault} there were none. */
export async function deliverStream(
  deps: GatewayDeps,
  attempt: Attempt,
  response: ProviderResponse,
): Promise<ChatAnswer> {
  const { call, offer, request } = attempt;
  const { payment, body } = response;
  const reader = createChunkReader(request.body.n ?? 1, request.wantsUsage);
  const conclude = async (status: "completed" | "aborted" | "failed"): Promise<string> => {
    let used: TokenCounts | null = null;
    let costMicroUsd: bigint | null = null;
    try {
      used = reader.usage ?? {
        prompt: await attempt.promptTokens(),
        completion: await countTokens(reader.text()),
      };
      costMicroUsd = await payment.settle(used);
    } catch (error) {
      deps.logger.error({ err: error, callId: call.id }, "call not settled");
      await payment.giveBack("It could not be told what was used.").catch(() => {});
    }
    const errorCode = status === "failed" ? { errorCode: "provider_failed" } : {};
    call.end({ status, ...(used && { used }), costMicroUsd, ...errorCode });
    // A comment: clients skip it, and whoever wants the figure finds it.
    return costMicroUsd === null ? "" : `: x-satchel-cost-usd ${formatUsd(costMicroUsd)}\n\n`;
  };
  const { first, body: stream } = relayStream(body, reader, conclude);
  const onAbort = () => void stream.destroy();
  attempt.signal?.addEventListener("abort", onAbort, { once: true });
  const limit = setTimeout(() => stream.destroy(new Error("The answer took too long.")), LONGEST_ANSWER_MS).unref();
  // Nobody may be reading yet.
  stream.on("error", () => {});
  stream.once("close", () => {
    clearTimeout(limit);
    attempt.signal?.removeEventListener("abort", onAbort);
  });
  if (attempt.signal?.aborted) onAbort();
  try {
    await first;
  } catch {
    if (attempt.signal?.aborted) await settleAbortedCall(attempt, payment);
    attempt.signal?.throwIfAborted();
    await payment.giveBack("The provider's answer was none.");
    // Without its cause, which may quote what the provider said.
    const { transactionId } = payment;
    throw new ProviderFault(`${offer.provider.name} did not begin its answer.`, { transactionId });
  }
  call.begin(offer.provider.name);
  const costMicroUsd = payment.knownMicroUsd ?? payment.reservedMicroUsd;
  return { callId: call.id, paymentId: payment.transactionId, costMicroUsd, whole: null, stream };
}
