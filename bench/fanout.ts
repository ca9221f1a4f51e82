/** Messages from one publisher to 5,000 WebSocket subscribers, through Satchel's server and through unmodified graphql-ws. */
import type { Bench } from "./harness/bench.ts";
import { type Child, startChild } from "./harness/child.ts";
import { openResources } from "./harness/resources.ts";
import { openSubscriber } from "./harness/subscriber.ts";

const SUBSCRIBERS = 5_000;
const CONNECT_BATCH_SIZE = 100;
const QUERY = "subscription { transactionUpdated { id status amount network txHash } }";
/** Events per round, sized to last about one second with each server. */
const KINDS = { "graphql-ws": { name: "graphql-ws", events: 5 }, satchel: { name: "satchel", events: 25 } };
const ROUND_TIMEOUT_MS = 30_000;

export const fanout: Bench = {
  name: "fanout",
  title: "one event to 5,000 WebSocket subscribers",
  unit: "messages",
  needsPostgresql: false,
  open: () =>
    openResources(async (resources) => {
      const subjects = [];
      for (const [kind, { name, events }] of Object.entries(KINDS)) {
        const server = resources.add(
          await startChild<number>("fanout", { args: [kind], isService: kind === "satchel" }),
          (child) => child.stop(),
        );
        const subscribers = await openSubscribers(server.hello);
        subjects.push({ name, process: server, run: () => publishTo(server, subscribers, events) });
      }
      return {
        subjects,
        comparisons: [{ subject: "satchel", against: "graphql-ws" }],
        floors: [{ subject: "satchel", perSecond: 60_000 }],
        close: resources.close,
      };
    }),
};

interface Subscribers {
  received: number;
  expected: number;
  onComplete(): void;
}

/** Connects the subscribers. Their sockets close when the server stops. */
async function openSubscribers(port: number): Promise<Subscribers> {
  const subscribers: Subscribers = { received: 0, expected: 0, onComplete: () => {} };
  const onMessage = () => {
    if (++subscribers.received === subscribers.expected) subscribers.onComplete();
  };
  for (let opened = 0; opened < SUBSCRIBERS; opened += CONNECT_BATCH_SIZE) {
    await Promise.all(Array.from({ length: CONNECT_BATCH_SIZE }, () => openSubscriber(port, QUERY, onMessage)));
  }
  return subscribers;
}

/** Publishes `events` and waits until every subscriber has received them. @returns messages per second */
async function publishTo(server: Child, subscribers: Subscribers, events: number): Promise<number> {
  subscribers.received = 0;
  subscribers.expected = SUBSCRIBERS * events;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  subscribers.onComplete = resolve;
  const timer = setTimeout(
    () =>
      reject(
        new Error(
          `${subscribers.received} of ${subscribers.expected} messages received within ${ROUND_TIMEOUT_MS} ms.`,
        ),
      ),
    ROUND_TIMEOUT_MS,
  );
  const startedMs = performance.now();
  await Promise.all([server.request("publish", events), promise]);
  clearTimeout(timer);
  return subscribers.expected / ((performance.now() - startedMs) / 1_000);
}
