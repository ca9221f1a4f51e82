import { expect, test } from "vitest";
import { startServer, subscribed, TICK, until, wsClient } from "./server.ts";

const MANY = { maxConnectionsPerAccount: 1_000, maxConnectionsPerIp: 1_000 };

test("a hundred identical subscriptions run one source and one execution an event", async () => {
  const server = await startServer({ limits: MANY });
  const subscribers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => subscribed(server, `ann:key${i}`, { room: "a" }, `id "${i}" é`)),
  );
  await until(() => server.counters.contexts === 100);
  expect(server.counters.sources).toBe(1);
  for (let count = 1; count <= 3; count++) server.topic.publish({ room: "a", count });
  await until(() => subscribers.every((one) => one.next().length === 3));
  expect(server.counters.executions).toBe(3);
  for (const [i, one] of subscribers.entries()) {
    expect(one.next()).toEqual(
      [1, 2, 3].map((count) => ({
        id: `id "${i}" é`,
        type: "next",
        payload: { data: { tick: { room: "a", count, account: "ann" } } },
      })),
    );
  }
  for (const one of subscribers.slice(1)) one.socket.close();
  await Promise.all(subscribers.slice(1).map((one) => one.closed));
  server.topic.publish({ room: "a", count: 4 });
  await until(() => subscribers[0]?.next().length === 4);
  subscribers[0]?.socket.close();
  await until(() => server.counters.stopped === 1);
  expect(server.topic.readers).toBe(0);
});

test("other variables, another account, another document, another operation never share", async () => {
  const server = await startServer();
  const ann = await subscribed(server, "ann", { room: "a" }, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: TICK, variables: { room: "b" } } });
  ann.send({ id: "3", type: "subscribe", payload: { query: `${TICK} `, variables: { room: "a" } } });
  ann.send({ id: "4", type: "subscribe", payload: { query: TICK, variables: { room: "all" } } });
  const bob = await subscribed(server, "bob", { room: "a" }, "1");
  await until(() => server.counters.sources === 5);
  server.topic.publish({ room: "a", count: 1 });
  await until(() => ann.next().length === 3 && bob.next().length === 1);
  expect(
    ann
      .next()
      .map((message) => message["id"])
      .sort(),
  ).toEqual(["1", "3", "4"]);
  expect(bob.next()[0]?.["payload"]).toEqual({ data: { tick: { room: "a", count: 1, account: "bob" } } });
  ann.socket.close();
  bob.socket.close();
});

test("the order of variables' members makes no difference, and defaults of a missing key do", async () => {
  const server = await startServer();
  const ann = await subscribed(server, "ann", { room: "a", after: null }, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: TICK, variables: { after: null, room: "a" } } });
  await until(() => server.counters.contexts === 2);
  server.topic.publish({ room: "a", count: 1 });
  await until(() => ann.next().length === 2);
  expect(server.counters.sources).toBe(1);
  ann.socket.close();
});

test("a subscription that resumes is never shared, nor is one without a grouping key", async () => {
  const server = await startServer();
  const variables = { room: "a", after: "42" };
  const ann = await subscribed(server, "ann", variables, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: TICK, variables } });
  await until(() => server.counters.sources === 2);
  ann.socket.close();
  const ungrouped = await startServer({ groupingKey: () => undefined });
  const bob = await subscribed(ungrouped, "bob", { room: "a" }, "1");
  bob.send({ id: "2", type: "subscribe", payload: { query: TICK, variables: { room: "a" } } });
  await until(() => ungrouped.counters.sources === 2);
  bob.socket.close();
});

test("each event has a context of its own", async () => {
  const server = await startServer();
  const ann = await subscribed(server, "ann");
  await until(() => server.counters.contexts === 1);
  for (let count = 1; count <= 3; count++) server.topic.publish({ room: "a", count });
  await until(() => ann.next().length === 3);
  expect(server.counters.contexts).toBe(4);
  ann.socket.close();
});

test("payloads of every frame length arrive whole", async () => {
  const server = await startServer();
  const client = wsClient(server.wsUrl, "ann");
  const ticks = client.iterate({ query: TICK, variables: { room: "all" } });
  const first = ticks.next();
  await until(() => server.topic.readers === 1);
  const rooms = [1, 20, 60, 200, 65_300, 65_460, 70_000, 300_000].map((length) => "é".repeat(length));
  for (const room of rooms) server.topic.publish({ room, count: 1 });
  const received = [await first];
  while (received.length < rooms.length) received.push(await ticks.next());
  expect(received.map((one) => (one.value as { data: { tick: { room: string } } }).data.tick.room)).toEqual(rooms);
  await client.dispose();
});
