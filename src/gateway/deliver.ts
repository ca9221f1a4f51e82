/** From a provider's 200 to what the caller gets: whole, or as it comes. Either way it is paid for what was used. */
import type { Readable } from "node:stream";
import { formatUsd } from "../platform/money.ts";
import type { Attempt } from "./attempt.ts";
import { createChunkReader } from "./chunk-reader.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import type { ProviderResponse } from "./pay-by-x402.ts";
import type { TokenCounts } from "./price.ts";
import { readBounded } from "./read-body.ts";
import { relayStream } from "./relay-stream.ts";
import { countTokens } from "./tokens.ts";
import { readUsage } from "./usage.ts";

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** An OpenAI chat completion, as the provider wrote it. */
export type Completion = Readonly<Record<string, unknown>> & { readonly choices: readonly unknown[] };

export interface ChatAnswer {
  readonly callId: string;
  /** The ledger's id of what paid for it; null for a free call. */
  readonly paymentId: string | null;
  /** For a stream the most it can become, where that is not known before its end. */
  readonly costMicroUsd: bigint;
  /** Exactly one of the two is there. */
  readonly completion: Completion | null;
  /** Server-sent events; must be read or destroyed. */
  readonly stream: Readable | null;
}

/** @throws {ProviderFault} the answer broke off, or is none. Whoever is paid for what is used gets nothing for it. */
export async function deliverWhole(
  deps: GatewayDeps,
  attempt: Attempt,
  response: ProviderResponse,
): Promise<ChatAnswer> {
  const { call, bound, offer } = attempt;
  const { payment } = response;
  let completion: Completion;
  try {
    completion = JSON.parse(await readBounded(response.body, MAX_ANSWER_BYTES)) as Completion;
    if (!Array.isArray(completion?.choices)) throw new Error("There are no choices in it.");
  } catch (cause) {
    attempt.signal?.throwIfAborted();
    await payment.giveBack("The provider's answer was none.");
    throw new ProviderFault(`${offer.provider.name} did not finish its answer.`, {
      transactionId: payment.transactionId,
      cause,
    });
  }
  call.begin(offer.provider.name);
  const used = readUsage(completion["usage"]) ?? {
    prompt: bound.promptTokens,
    completion: await countTokens(JSON.stringify(completion.choices)),
  };
  const costMicroUsd = await payment.settle(used);
  await ended(deps, call.end({ status: "completed", used, costMicroUsd }));
  return { callId: call.id, paymentId: payment.transactionId, costMicroUsd, completion, stream: null };
}

/** Resolves with the stream's first bytes. @throws {ProviderFault} there were none. */
export async function deliverStream(
  deps: GatewayDeps,
  attempt: Attempt,
  response: ProviderResponse,
): Promise<ChatAnswer> {
  const { call, bound, offer, request } = attempt;
  const { payment, body } = response;
  const reader = createChunkReader(request.body.n ?? 1, request.wantsUsage);
  const conclude = async (status: "completed" | "aborted" | "failed"): Promise<string> => {
    const used: TokenCounts = reader.usage ?? {
      prompt: bound.promptTokens,
      completion: await countTokens(reader.text()),
    };
    const costMicroUsd = await payment.settle(used).catch((error) => {
      deps.logger.error({ err: error, callId: call.id }, "call not settled");
      return null;
    });
    const errorCode = status === "failed" ? { errorCode: "provider_failed" } : {};
    await ended(deps, call.end({ status, used, costMicroUsd, ...errorCode }));
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
  } catch (cause) {
    await payment.giveBack("The provider's answer was none.");
    attempt.signal?.throwIfAborted();
    const { message } = cause as Error;
    throw new ProviderFault(`${offer.provider.name}: ${message}`, { transactionId: payment.transactionId, cause });
  }
  call.begin(offer.provider.name);
  const costMicroUsd = payment.knownMicroUsd ?? payment.reservedMicroUsd;
  return { callId: call.id, paymentId: payment.transactionId, costMicroUsd, completion: null, stream };
}

/** The record is for looking at: an answer that has been paid for is not lost because it could not be written down. */
async function ended(deps: GatewayDeps, saving: Promise<void>): Promise<void> {
  await saving.catch((error) => deps.logger.error({ err: error }, "gateway call not recorded"));
}
