import { expect, test } from "vitest";
import { createWsClient, openSubscription, SUBSCRIBE_TICK, startServer, waitUntil } from "./server.ts";

const MANY = { maxConnectionsPerAccount: 1_000, maxConnectionsPerIp: 1_000 };

test("100 identical subscriptions share one source and one execution per event", async () => {
  const server = await startServer({ limits: MANY });
  const subscribers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => openSubscription(server, `ann:key${i}`, { channel: "a" }, `id "${i}" é`)),
  );
  await waitUntil(() => server.counters.contexts === 100);
  expect(server.counters.sources).toBe(1);
  for (let count = 1; count <= 3; count++) server.topic.publish({ channel: "a", count });
  await waitUntil(() => subscribers.every((one) => one.next().length === 3));
  expect(server.counters.executions).toBe(3);
  for (const [i, one] of subscribers.entries()) {
    expect(one.next()).toEqual(
      [1, 2, 3].map((count) => ({
        id: `id "${i}" é`,
        type: "next",
        payload: { data: { tick: { channel: "a", count, account: "ann" } } },
      })),
    );
  }
  for (const one of subscribers.slice(1)) one.socket.close();
  await Promise.all(subscribers.slice(1).map((one) => one.closed));
  server.topic.publish({ channel: "a", count: 4 });
  await waitUntil(() => subscribers[0]?.next().length === 4);
  subscribers[0]?.socket.close();
  await waitUntil(() => server.counters.stopped === 1);
  expect(server.topic.readers).toBe(0);
});

test("subscriptions with other variables, documents or accounts do not share a source", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann", { channel: "a" }, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "b" } } });
  ann.send({ id: "3", type: "subscribe", payload: { query: `${SUBSCRIBE_TICK} `, variables: { channel: "a" } } });
  ann.send({ id: "4", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "all" } } });
  const bob = await openSubscription(server, "bob", { channel: "a" }, "1");
  await waitUntil(() => server.counters.sources === 5);
  server.topic.publish({ channel: "a", count: 1 });
  await waitUntil(() => ann.next().length === 3 && bob.next().length === 1);
  expect(
    ann
      .next()
      .map((message) => message["id"])
      .sort(),
  ).toEqual(["1", "3", "4"]);
  expect(bob.next()[0]?.["payload"]).toEqual({ data: { tick: { channel: "a", count: 1, account: "bob" } } });
  ann.socket.close();
  bob.socket.close();
});

test("subscriptions whose variables differ only in order share a source", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann", { channel: "a", after: null }, "1");
  ann.send({
    id: "2",
    type: "subscribe",
    payload: { query: SUBSCRIBE_TICK, variables: { after: null, channel: "a" } },
  });
  await waitUntil(() => server.counters.contexts === 2);
  server.topic.publish({ channel: "a", count: 1 });
  await waitUntil(() => ann.next().length === 2);
  expect(server.counters.sources).toBe(1);
  ann.socket.close();
});

test("a resumed subscription or one without a grouping key does not share a source", async () => {
  const server = await startServer();
  const variables = { channel: "a", after: "42" };
  const ann = await openSubscription(server, "ann", variables, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables } });
  await waitUntil(() => server.counters.sources === 2);
  ann.socket.close();
  const ungrouped = await startServer({ groupingKey: () => undefined });
  const bob = await openSubscription(ungrouped, "bob", { channel: "a" }, "1");
  bob.send({ id: "2", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "a" } } });
  await waitUntil(() => ungrouped.counters.sources === 2);
  bob.socket.close();
});

test("each event has its own context", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann");
  await waitUntil(() => server.counters.contexts === 1);
  for (let count = 1; count <= 3; count++) server.topic.publish({ channel: "a", count });
  await waitUntil(() => ann.next().length === 3);
  expect(server.counters.contexts).toBe(4);
  ann.socket.close();
});

test("payloads of every frame length arrive complete", async () => {
  const server = await startServer();
  const client = createWsClient(server.wsUrl, "ann");
  const ticks = client.iterate({ query: SUBSCRIBE_TICK, variables: { channel: "all" } });
  const first = ticks.next();
  await waitUntil(() => server.topic.readers === 1);
  const channels = [1, 20, 60, 200, 65_300, 65_460, 70_000, 300_000].map((length) => "é".repeat(length));
  for (const channel of channels) server.topic.publish({ channel, count: 1 });
  const received = [await first];
  while (received.length < channels.length) received.push(await ticks.next());
  expect(received.map((one) => (one.value as { data: { tick: { channel: string } } }).data.tick.channel)).toEqual(
    channels,
  );
  await client.dispose();
});
