/**
 * Pub/sub between nodes: small messages, delivered at most once and in order per sender. To miss no change, subscribe first
 * and then read the database. If messages may be lost, subscriptions end with an error, and subscribers must subscribe
 * again.
 */
import type { Logger } from "../observability/logger.ts";
import { createOutbox, encodeMessage } from "./outbox.ts";
import { connectPostgresql } from "./postgresql.ts";
import { connectRedis } from "./redis.ts";
import { createSubscribers } from "./subscribers.ts";
import type { TransportEvents } from "./transport.ts";

export interface PubSub {
  /** Publishes to all nodes, including this one. Never throws and never waits. Drops payloads of more than a few kilobytes. */
  publish(channel: string, payload: string): void;
  /** Returns later payloads. Ends with a `SubscriptionInterruptedError` if some may be lost. */
  subscribe(channel: string): AsyncIterableIterator<string>;
  /** Resolves when this node first receives messages of the others. Never rejects. */
  ready(): Promise<void>;
  /** Whether this node currently receives messages of the others. */
  isConnected(): boolean;
  close(): Promise<void>;
}

/**
 * Creates pub/sub over Redis if `redisUrl` is set, else over PostgreSQL if `databaseUrl` is set, else within this process.
 *
 * @param options.maxBufferedMessages maximum backlog of a subscriber; beyond it the subscription ends
 */
export function createPubSub(options: {
  redisUrl?: string | undefined;
  databaseUrl?: string | undefined;
  logger: Logger;
  maxBufferedMessages?: number;
}): PubSub {
  const { logger } = options;
  const subscribers = createSubscribers(options.maxBufferedMessages ?? 1_000);
  const connected = Promise.withResolvers<void>();
  let wasConnected = false;

  const events: TransportEvents = {
    onText: (text) => outbox?.receive(text),
    onConnected() {
      // Messages may have been lost during the disconnect.
      if (wasConnected) subscribers.interruptAll();
      wasConnected = true;
      connected.resolve();
      outbox?.flush();
    },
    onError: (error) => logger.warn({ err: error }, "Pub/sub connection failed; retry scheduled"),
  };
  const transport = options.redisUrl
    ? connectRedis(options.redisUrl, events)
    : options.databaseUrl
      ? connectPostgresql(options.databaseUrl, events)
      : null;
  const outbox = transport && createOutbox(transport, subscribers, logger);
  if (!transport) connected.resolve();

  return {
    publish(channel, payload) {
      // Also without a transport, so an oversized message is noticed during development.
      const message = encodeMessage(channel, payload);
      if (message === null) {
        logger.error({ channel, bytes: Buffer.byteLength(payload) }, "Pub/sub message too large; dropped");
        return;
      }
      // Subscribers of this node receive it immediately; the copy from the transport is ignored.
      subscribers.deliver(channel, payload);
      outbox?.add(message);
    },
    subscribe: (channel) => subscribers.subscribe(channel),
    ready: () => connected.promise,
    isConnected: () => transport?.isConnected() ?? true,
    async close() {
      subscribers.endAll();
      await outbox?.drain();
      await transport?.close();
    },
  };
}
