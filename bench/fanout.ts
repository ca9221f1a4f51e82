/** Messages from one publisher to 5,000 subscribers over WebSocket: this service's server, and graphql-ws as it comes. */
import type { Bench } from "./harness/bench.ts";
import { type Child, startChild } from "./harness/child.ts";
import { openAll } from "./harness/opened.ts";
import { openSubscriber } from "./harness/subscriber.ts";

const SUBSCRIBERS = 5_000;
const AT_ONCE = 100;
const QUERY = "subscription { transactionUpdated { id status amount network txHash } }";
/** Events in a round: about a second's worth for each. */
const KINDS = { "graphql-ws": { name: "graphql-ws", events: 5 }, satchel: { name: "satchel", events: 25 } };
const ROUND_TIMEOUT_MS = 30_000;

export const fanout: Bench = {
  name: "fanout",
  title: "one event to 5,000 WebSocket subscribers",
  unit: "messages",
  needsPostgresql: false,
  open: () =>
    openAll(async (opened) => {
      const subjects = [];
      for (const [kind, { name, events }] of Object.entries(KINDS)) {
        const server = opened.add(
          await startChild<number>("fanout", { args: [kind], isService: kind === "satchel" }),
          (child) => child.stop(),
        );
        const audience = await openAudience(server.hello);
        subjects.push({ name, process: server, run: () => publishTo(server, audience, events) });
      }
      return {
        subjects,
        comparisons: [{ subject: "satchel", against: "graphql-ws" }],
        floors: [{ subject: "satchel", perSecond: 60_000 }],
        close: opened.close,
      };
    }),
};

interface Audience {
  received: number;
  wanted: number;
  done(): void;
}

/** The sockets end with the server. */
async function openAudience(port: number): Promise<Audience> {
  const audience: Audience = { received: 0, wanted: 0, done: () => {} };
  const onMessage = () => {
    if (++audience.received === audience.wanted) audience.done();
  };
  for (let opened = 0; opened < SUBSCRIBERS; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => openSubscriber(port, QUERY, onMessage)));
  }
  return audience;
}

/** From the first publication to the last message at the last subscriber. */
async function publishTo(server: Child, audience: Audience, events: number): Promise<number> {
  audience.received = 0;
  audience.wanted = SUBSCRIBERS * events;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  audience.done = resolve;
  const timer = setTimeout(() => reject(new Error("Not every message arrived.")), ROUND_TIMEOUT_MS);
  const startedMs = performance.now();
  await Promise.all([server.ask("publish", events), promise]);
  clearTimeout(timer);
  return audience.wanted / ((performance.now() - startedMs) / 1_000);
}
