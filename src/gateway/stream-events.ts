/** A relayed stream as its parts, for whoever is in the same process. */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { parseUsd } from "../platform/money.ts";
import { ProviderFailedError } from "./errors.ts";

export type StreamEvent =
  | { readonly kind: "chunk"; readonly chunk: Readonly<Record<string, unknown>> }
  | { readonly kind: "end"; readonly costMicroUsd: bigint | null };

/** Ending the iteration ends the provider's stream. @throws {ProviderFailedError} from the iteration: the provider failed midway */
export function streamEvents(stream: Readable, paymentId: string | null): AsyncIterableIterator<StreamEvent> {
  const events = read(stream, paymentId);
  const iterator: AsyncIterableIterator<StreamEvent> = {
    next: () => events.next(),
    async return() {
      // First, or the generator would wait for the next chunk before it ends.
      stream.destroy();
      return await events.return(undefined);
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

const COST = /^ ?x-satchel-cost-usd ([\d.]+)$/;

async function* read(stream: Readable, paymentId: string | null): AsyncGenerator<StreamEvent, undefined> {
  const decoder = new StringDecoder("utf8");
  const waiting: StreamEvent[] = [];
  let failure: string | null = null;
  let costMicroUsd: bigint | null = null;
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return void waiting.push({ kind: "end", costMicroUsd });
      const chunk = JSON.parse(data) as Record<string, unknown>;
      const { error } = chunk as { error?: { message?: string } };
      if (error) failure = error.message ?? "The provider failed.";
      else waiting.push({ kind: "chunk", chunk });
    },
    onComment(comment) {
      const [, usd] = COST.exec(comment) ?? [];
      if (usd !== undefined) costMicroUsd = parseUsd(usd, "cost");
    },
  });
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    parser.feed(decoder.write(bytes));
    yield* waiting.splice(0);
    if (failure !== null) throw new ProviderFailedError(failure, paymentId);
  }
}
