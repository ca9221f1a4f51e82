/** From a provider's 200 to what the caller gets: whole, or as it comes. Either way it is paid for what was used. */
import type { Readable } from "node:stream";
import { readBounded } from "../platform/egress/read-bounded.ts";
import { formatUsd } from "../platform/money.ts";
import type { Attempt } from "./attempt.ts";
import { createChunkReader } from "./chunk-reader.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import { leaveOff } from "./leave-off.ts";
import type { ProviderResponse } from "./pay-by-x402.ts";
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
  try {
    text = await readBounded(response.body, MAX_ANSWER_BYTES);
    completion = JSON.parse(text) as Completion;
    if (!Array.isArray(completion?.choices)) throw new Error("There are no choices in it.");
  } catch {
    if (attempt.signal?.aborted) await leaveOff(attempt, payment);
    attempt.signal?.throwIfAborted();
    await payment.giveBack("The provider's answer was none.");
    // Without its cause, which may quote the answer.
    const { transactionId } = payment;
    throw new ProviderFault(`${offer.provider.name} did not finish its answer, or broke its format.`, {
      transactionId,
    });
  }
  call.begin(offer.provider.name);
  const used = readUsage(completion["usage"]) ?? {
    prompt: await attempt.promptTokens(),
    completion: await countTokens(JSON.stringify(completion.choices)),
  };
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
    const used: TokenCounts = reader.usage ?? {
      prompt: await attempt.promptTokens(),
      completion: await countTokens(reader.text()),
    };
    const costMicroUsd = await payment.settle(used).catch((error) => {
      deps.logger.error({ err: error, callId: call.id }, "call not settled");
      return null;
    });
    const errorCode = status === "failed" ? { errorCode: "provider_failed" } : {};
    call.end({ status, used, costMicroUsd, ...errorCode });
    // A comment: clients skip it, and whoever wants the figure finds it.
    return costMicroUsd === null ? "" : `: x-satchel-cost-usd ${formatUsd(costMicroUsd)}\n\n`;
  };
  const { first, body: stream } = relayStream(body, reader, conclude);
  const onAbort = () => void stream.destroy();
  attempt.signal?.addEventListener("abort", onAbort, { once: true });
  stream.once("close", () => attempt.signal?.removeEventListener("abort", onAbort));
  if (attempt.signal?.aborted) onAbort();
  try {
    await first;
  } catch {
    if (attempt.signal?.aborted) await leaveOff(attempt, payment);
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
