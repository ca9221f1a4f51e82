/** Parsed events of a relayed stream, for consumers in the same process. */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { parseUsd } from "../platform/money.ts";
import { ProviderFailedError } from "./errors.ts";

export type StreamEvent =
  | { readonly kind: "chunk"; readonly chunk: Readonly<Record<string, unknown>> }
  | { readonly kind: "end"; readonly costMicroUsd: bigint | null };

/** Iterates over the events. Ending the iteration ends the provider's stream. It throws ProviderFailedError if the provider fails. */
export function readStreamEvents(stream: Readable, paymentId: string | null): AsyncIterableIterator<StreamEvent> {
  const events = parseStream(stream, paymentId);
  const iterator: AsyncIterableIterator<StreamEvent> = {
    next: () => events.next(),
    async return() {
      // Destroyed first: otherwise the generator would wait for the next chunk before it returns.
      stream.destroy();
      return await events.return(undefined);
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

const COST = /^ ?x-satchel-cost-usd ([\d.]+)$/;

async function* parseStream(stream: Readable, paymentId: string | null): AsyncGenerator<StreamEvent, undefined> {
  const decoder = new StringDecoder("utf8");
  const queue: StreamEvent[] = [];
  let failure: string | null = null;
  let costMicroUsd: bigint | null = null;
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return void queue.push({ kind: "end", costMicroUsd });
      const chunk = JSON.parse(data) as Record<string, unknown>;
      const { error } = chunk as { error?: { message?: string } };
      if (error) failure = error.message ?? "The provider failed.";
      else queue.push({ kind: "chunk", chunk });
    },
    onComment(comment) {
      const [, usd] = COST.exec(comment) ?? [];
      if (usd !== undefined) costMicroUsd = parseUsd(usd, "cost");
    },
  });
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    parser.feed(decoder.write(bytes));
    yield* queue.splice(0);
    if (failure !== null) throw new ProviderFailedError(failure, { transactionId: paymentId });
  }
}
