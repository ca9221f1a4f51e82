// @module-tag postgresql
import { Redis } from "ioredis";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createPubSub, type PubSub } from "../../../src/platform/pubsub/pubsub.ts";
import { SubscriptionInterruptedError } from "../../../src/platform/pubsub/subscribers.ts";
import { postgresqlUrl, redisUrl } from "../../support/servers.ts";
import { openTcpProxy } from "../../support/tcp-proxy.ts";

const logger = createLogger("silent");
const opened: PubSub[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((node) => node.close()));
});

type Backend = { redisUrl?: string | null; databaseUrl?: string | null; maxBufferedMessages?: number };

async function openNode({ redisUrl, databaseUrl, ...rest }: Backend = {}): Promise<PubSub> {
  const node = createPubSub({
    redisUrl: redisUrl ?? undefined,
    databaseUrl: databaseUrl ?? undefined,
    logger,
    ...rest,
  });
  opened.push(node);
  await node.ready();
  return node;
}

/** Reads `count` payloads, or fewer if the subscription ends. */
async function readPayloads(subscription: AsyncIterableIterator<string>, count: number): Promise<string[]> {
  const payloads: string[] = [];
  while (payloads.length < count) {
    const next = await subscription.next();
    if (next.done) break;
    payloads.push(next.value);
  }
  return payloads;
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `message ${index}`);
}

describe("within one process", () => {
  test("a subscriber receives the messages of its channel after subscribing, in order", async () => {
    const node = await openNode();
    node.publish("a", "too early");
    const subscription = node.subscribe("a");
    node.publish("b", "another channel");
    for (const message of numbered(3)) node.publish("a", message);
    expect(await readPayloads(subscription, 3)).toEqual(numbered(3));
  });

  test("a subscriber that exceeds its backlog ends with an error, others continue", async () => {
    const node = await openNode({ maxBufferedMessages: 5 });
    const slow = node.subscribe("a");
    const fast = node.subscribe("a");
    const received = readPayloads(fast, 6);
    for (const message of numbered(6)) {
      node.publish("a", message);
      await Promise.resolve();
    }
    expect(await received).toEqual(numbered(6));
    await expect(slow.next()).rejects.toBeInstanceOf(SubscriptionInterruptedError);
    expect(await slow.next()).toEqual({ value: undefined, done: true });
  });

  test("`return` and `close` end a subscription without an error", async () => {
    const node = await openNode();
    const left = node.subscribe("a");
    const waiting = left.next();
    await left.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    const open = node.subscribe("a").next();
    await node.close();
    expect(await open).toEqual({ value: undefined, done: true });
  });

  test("an oversized payload is dropped, also without a transport", async () => {
    const node = await openNode();
    const subscription = node.subscribe("a");
    node.publish("a", "x".repeat(10_000));
    node.publish("a", "small");
    expect(await readPayloads(subscription, 1)).toEqual(["small"]);
  });
});

describe.each([
  { name: "PostgreSQL", backend: { databaseUrl: postgresqlUrl } },
  { name: "Redis", backend: { redisUrl } },
])("two nodes on $name", ({ backend }) => {
  describe.skipIf(Object.values(backend).includes(null))("", () => {
    test("each subscriber on either node receives every message exactly once, in order", async () => {
      const [one, two] = [await openNode(backend), await openNode(backend)];
      const channel = crypto.randomUUID();
      const subscriptions = [one.subscribe(channel), two.subscribe(channel), two.subscribe(channel)];
      // Enough for many batches, with equal payloads among them: PostgreSQL deduplicates equal notifications.
      const messages = numbered(900).map((message, index) => (index % 3 === 0 ? "same" : `${message} "é😀"`.repeat(5)));
      for (const message of messages) one.publish(channel, message);
      one.publish(channel, "end");
      for (const subscription of subscriptions) {
        expect(await readPayloads(subscription, messages.length + 1)).toEqual([...messages, "end"]);
      }
    });

    test("payloads of maximum size arrive unchanged, regardless of their characters", async () => {
      const [one, two] = [await openNode(backend), await openNode(backend)];
      const channel = crypto.randomUUID();
      const subscription = two.subscribe(channel);
      const payloads = ['"'.repeat(3_800), "é".repeat(3_800), "\u0001".repeat(1_280)];
      for (const payload of payloads) one.publish(channel, payload);
      expect(await readPayloads(subscription, 3)).toEqual(payloads);
    });
  });
});

describe.skipIf(postgresqlUrl === null)("when PostgreSQL ends the connection", () => {
  test("subscribers end with an error, and receive messages again after they resubscribe", async () => {
    const [one, two] = [await openNode({ databaseUrl: postgresqlUrl }), await openNode({ databaseUrl: postgresqlUrl })];
    const channel = crypto.randomUUID();
    const interrupted = two.subscribe(channel);
    const ended = expect(interrupted.next()).rejects.toBeInstanceOf(SubscriptionInterruptedError);
    const admin = new pg.Client({ connectionString: postgresqlUrl ?? "" });
    await admin.connect();
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'satchel pub/sub' AND datname = current_database()",
    );
    await admin.end();
    await ended;
    await expect.poll(() => one.isConnected() && two.isConnected()).toBe(true);
    const resubscribed = two.subscribe(channel);
    one.publish(channel, "again");
    expect(await readPayloads(resubscribed, 1)).toEqual(["again"]);
  });

  test("messages published during a disconnect are sent once after the reconnect", async () => {
    const [one, two] = [await openNode({ databaseUrl: postgresqlUrl }), await openNode({ databaseUrl: postgresqlUrl })];
    const channel = crypto.randomUUID();
    const admin = new pg.Client({ connectionString: postgresqlUrl ?? "" });
    await admin.connect();
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'satchel pub/sub' AND datname = current_database()",
    );
    await admin.end();
    await expect.poll(() => two.isConnected(), { interval: 5 }).toBe(false);
    await expect.poll(() => two.isConnected()).toBe(true);
    const subscription = two.subscribe(channel);
    for (const message of numbered(50)) one.publish(channel, message);
    expect(await readPayloads(subscription, 50)).toEqual(numbered(50));
  });
});

describe.skipIf(postgresqlUrl === null)("when the network discards the packets of PostgreSQL", () => {
  test("closes without waiting for the server", async () => {
    const proxy = await openTcpProxy(postgresqlUrl ?? "");
    const node = await openNode({ databaseUrl: proxy.through(postgresqlUrl ?? "") });
    proxy.hang();
    await node.close();
    expect(node.isConnected()).toBe(false);
    await proxy.cut();
  });
});

describe.skipIf(redisUrl === null)("when Redis ends the connection", () => {
  test("subscribers end with an error, and receive messages again after they resubscribe", async () => {
    // The database number distinguishes these connections from those of concurrent tests.
    const ownUrl = new URL("/15", redisUrl ?? "").href;
    const [one, two] = [await openNode({ redisUrl: ownUrl }), await openNode({ redisUrl: ownUrl })];
    const channel = crypto.randomUUID();
    const interrupted = two.subscribe(channel);
    const ended = expect(interrupted.next()).rejects.toBeInstanceOf(SubscriptionInterruptedError);
    const admin = new Redis(redisUrl ?? "");
    const listeners = String(await admin.call("CLIENT", "LIST", "TYPE", "pubsub")).split("\n");
    const own = listeners.filter((line) => / db=15 /.test(line)).map((line) => /^id=(\d+)/.exec(line)?.[1] ?? "");
    expect(own.length).toBeGreaterThanOrEqual(2);
    for (const id of own) await admin.call("CLIENT", "KILL", "ID", id);
    admin.disconnect();
    await ended;
    await expect.poll(() => one.isConnected() && two.isConnected()).toBe(true);
    const resubscribed = two.subscribe(channel);
    one.publish(channel, "again");
    expect(await readPayloads(resubscribed, 1)).toEqual(["again"]);
  });
});
