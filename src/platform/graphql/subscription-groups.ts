import type { ExecutionResult } from "graphql";
import type { EndReason } from "./stream-endings.ts";

/** The result of one event as JSON in UTF-8, serialised once for all subscribers, and its cursor. */
export type EventPayload = { json: Buffer; cursor: string | null };

export type Subscriber = {
  /** Whether an event may be delivered without `refresh`. */
  isFresh(nowMs: number): boolean;
  /** Checks the credential; a subscriber without a valid one has left afterwards. */
  refresh(): Promise<void>;
  deliver(payload: EventPayload): void;
  /** Called when the source is `completed`, with its error if it failed, or when the service is `draining`. */
  end(reason: EndReason, error?: unknown): void;
};

/** A source of events, and the execution of the selection on each event. */
export type EventSource = {
  events: AsyncIterable<unknown>;
  /** Returns the cursor of an event; null if the subscription cannot be resumed. */
  cursorOf(event: unknown): string | null;
  execute(event: unknown): Promise<object>;
};

type Group = {
  subscribers: Set<Subscriber>;
  opened: Promise<ExecutionResult | null>;
  close(): void;
};

export type SubscriptionGroups = {
  /**
   * Adds a subscriber to the group of `key`. The first subscriber opens the source; a null key always opens one. Resolves to a
   * function that leaves the group, or to the result with the errors of the source.
   */
  join(
    key: string | null,
    open: () => Promise<EventSource | ExecutionResult>,
    subscriber: Subscriber,
  ): Promise<{ leave(): void } | { refused: ExecutionResult }>;
  /** Ends all subscriptions, because the service is draining. */
  close(): void;
  /** Number of open sources. */
  readonly size: number;
};

/** Creates groups that share one source, one execution and one serialisation among identical subscriptions. */
export function createSubscriptionGroups(): SubscriptionGroups {
  const groups = new Set<Group>();
  const byKey = new Map<string, Group>();

  const openGroup = (key: string | null, open: () => Promise<EventSource | ExecutionResult>): Group => {
    let iterator: AsyncIterator<unknown> | null = null;
    let isClosed = false;
    const group: Group = {
      subscribers: new Set(),
      opened: Promise.resolve(null),
      close() {
        if (isClosed) return;
        isClosed = true;
        groups.delete(group);
        if (key !== null && byKey.get(key) === group) byKey.delete(key);
        // No subscriber is left to receive an error.
        Promise.resolve(iterator?.return?.()).catch(() => undefined);
      },
    };
    const finish = (error?: unknown) => {
      const subscribers = [...group.subscribers];
      group.subscribers.clear();
      group.close();
      for (const subscriber of subscribers) subscriber.end("completed", error);
    };
    group.opened = open().then(
      (source) => {
        if (!("events" in source)) {
          group.close();
          return source;
        }
        iterator = source.events[Symbol.asyncIterator]();
        if (isClosed) Promise.resolve(iterator.return?.()).catch(() => undefined);
        else deliverEvents(iterator, source, group.subscribers, () => isClosed).then(() => finish(), finish);
        return null;
      },
      (error) => {
        group.close();
        throw error;
      },
    );
    groups.add(group);
    if (key !== null) byKey.set(key, group);
    return group;
  };

  return {
    async join(key, open, subscriber) {
      const group = (key === null ? undefined : byKey.get(key)) ?? openGroup(key, open);
      group.subscribers.add(subscriber);
      const leave = () => {
        group.subscribers.delete(subscriber);
        if (group.subscribers.size === 0) group.close();
      };
      const refused = await group.opened;
      return refused ? { refused } : { leave };
    },
    close() {
      for (const group of [...groups]) {
        for (const subscriber of [...group.subscribers]) subscriber.end("draining");
        group.close();
      }
    },
    get size() {
      return groups.size;
    },
  };
}

async function deliverEvents(
  iterator: AsyncIterator<unknown>,
  { cursorOf, execute }: EventSource,
  subscribers: Set<Subscriber>,
  isClosed: () => boolean,
): Promise<void> {
  for (;;) {
    const next = await iterator.next();
    if (next.done || isClosed()) return;
    const nowMs = Date.now();
    const stale = [...subscribers].filter((subscriber) => !subscriber.isFresh(nowMs));
    if (stale.length > 0) await Promise.all(stale.map((subscriber) => subscriber.refresh()));
    if (isClosed()) return;
    const cursor = cursorOf(next.value);
    const json = Buffer.from(JSON.stringify(await execute(next.value)));
    for (const subscriber of subscribers) subscriber.deliver({ json, cursor });
  }
}
