/** Messages were lost, or the subscriber was too slow. The subscriber must subscribe again and read the current state. */
export class SubscriptionInterruptedError extends Error {
  override get name(): string {
    return "SubscriptionInterruptedError";
  }
}

export interface Subscribers {
  subscribe(channel: string): AsyncIterableIterator<string>;
  deliver(channel: string, payload: string): void;
  /** Ends all subscriptions with an error. */
  interruptAll(): void;
  /** Ends all subscriptions without an error. */
  endAll(): void;
}

interface Reader {
  push(payload: string): void;
  end(error: Error | null): void;
}

/** Creates the registry of this process's subscriptions. */
export function createSubscribers(maxBufferedMessages: number): Subscribers {
  const byChannel = new Map<string, Set<Reader>>();

  const leave = (channel: string, reader: Reader) => {
    const readers = byChannel.get(channel);
    if (readers?.delete(reader) && readers.size === 0) byChannel.delete(channel);
  };
  const end = (error: (() => Error) | null) => {
    for (const readers of [...byChannel.values()]) for (const reader of [...readers]) reader.end(error?.() ?? null);
  };

  return {
    subscribe(channel) {
      const { reader, iterator } = createReader(maxBufferedMessages, () => leave(channel, reader));
      const readers = byChannel.get(channel) ?? new Set();
      byChannel.set(channel, readers.add(reader));
      return iterator;
    },
    deliver(channel, payload) {
      const readers = byChannel.get(channel);
      if (readers) for (const reader of [...readers]) reader.push(payload);
    },
    interruptAll: () =>
      end(
        () =>
          new SubscriptionInterruptedError("The connection to the other nodes was interrupted. Messages may be lost."),
      ),
    endAll: () => end(null),
  };
}

function createReader(
  maxBufferedMessages: number,
  onEnd: () => void,
): { reader: Reader; iterator: AsyncIterableIterator<string> } {
  const buffered: string[] = [];
  const waiting: PromiseWithResolvers<IteratorResult<string>>[] = [];
  let ended = false;
  /** Thrown once, by the next call of `next`. */
  let failure: Error | null = null;
  const done = { value: undefined, done: true } as const;

  const end = (error: Error | null) => {
    if (ended) return;
    ended = true;
    onEnd();
    if (error) buffered.length = 0;
    failure = error;
    for (const { resolve, reject } of waiting.splice(0)) {
      if (failure) reject(failure);
      else resolve(done);
      failure = null;
    }
  };
  const reader: Reader = {
    push(payload) {
      const next = waiting.shift();
      if (next) next.resolve({ value: payload, done: false });
      else if (buffered.length < maxBufferedMessages) buffered.push(payload);
      else end(new SubscriptionInterruptedError("The subscriber exceeded its maximum backlog. Messages were dropped."));
    },
    end,
  };
  const iterator: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const payload = buffered.shift();
      if (payload !== undefined) return { value: payload, done: false };
      if (failure) {
        const thrown = failure;
        failure = null;
        throw thrown;
      }
      if (ended) return done;
      const next = Promise.withResolvers<IteratorResult<string>>();
      waiting.push(next);
      return await next.promise;
    },
    async return() {
      buffered.length = 0;
      end(null);
      return done;
    },
  };
  return { reader, iterator };
}
