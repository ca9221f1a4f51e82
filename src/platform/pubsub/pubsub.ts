/**
 * Announcements between all nodes: small, at most once, in order for each sender. Whoever must not miss one reads the
 * database after subscribing; when something may have been missed, subscriptions end with an error and are opened anew.
 */
import type { Logger } from "../observability/logger.ts";
import { createOutbox, encodeMessage } from "./outbox.ts";
import { connectPostgresql } from "./postgresql.ts";
import { connectRedis } from "./redis.ts";
import { createSubscribers } from "./subscribers.ts";
import type { TransportEvents } from "./transport.ts";

export interface PubSub {
  /** Announces to every node, this one included; never throws and never waits. Payloads: a few kilobytes at most. */
  publish(channel: string, payload: string): void;
  /** Payloads from now on. Ends with a `SubscriptionInterruptedError` when some may have been missed. */
  subscribe(channel: string): AsyncIterableIterator<string>;
  /** Resolves when this node hears the others; rejects never. */
  ready(): Promise<void>;
  /** Whether it hears them now. */
  isConnected(): boolean;
  close(): Promise<void>;
}

/**
 * Opens pub/sub through Redis when `redisUrl` is given, else through PostgreSQL when `databaseUrl` is, else within
 * this process.
 *
 * @param options.maxBufferedMessages how far a subscriber may fall behind before it is ended
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
      // While it was away, others may have spoken.
      if (wasConnected) subscribers.interruptAll();
      wasConnected = true;
      connected.resolve();
      outbox?.flush();
    },
    onError: (error) => logger.warn({ err: error }, "pub/sub connection failed; trying again"),
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
      // Also where nothing is sent, so that what is too large is noticed on the first machine it runs on.
      const message = encodeMessage(channel, payload);
      if (message === null) {
        logger.error({ channel, bytes: Buffer.byteLength(payload) }, "announcement too large, dropped");
        return;
      }
      // Subscribers of this node hear it at once; what comes back from the transport is ignored.
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
