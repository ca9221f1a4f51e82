import SchemaBuilder from "@pothos/core";
import { GraphQLError } from "graphql";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { InvalidValue } from "../../src/platform/graphql/invalid-value.ts";

export type TestContext = { viewer: TestViewer | null; requestId: string };
export type TestViewer = { account: string; credential: string; expiresAtMs?: number };

/** Counts of executed parts, to distinguish shared from repeated work. */
export type Counters = { sources: number; executions: number; stopped: number; payments: number; contexts: number };

/** Creates a topic that delivers all events to every open source, in order. */
export function createTopic<T>() {
  const readers = new Set<{ push(value: T): void; end(error?: Error): void }>();
  return {
    publish: (value: T) => {
      for (const reader of [...readers]) reader.push(value);
    },
    end: (error?: Error) => {
      for (const reader of [...readers]) reader.end(error);
    },
    get readers() {
      return readers.size;
    },
    subscribe(onStop: () => void): AsyncIterableIterator<T> {
      const waiting: T[] = [];
      let wake = Promise.withResolvers<void>();
      let done = false;
      let failure: Error | undefined;
      const reader = {
        push(value: T) {
          waiting.push(value);
          wake.resolve();
        },
        end(error?: Error) {
          done = true;
          failure = error;
          wake.resolve();
        },
      };
      readers.add(reader);
      return {
        async next() {
          while (waiting.length === 0 && !done) {
            await wake.promise;
            wake = Promise.withResolvers<void>();
          }
          if (failure) throw failure;
          const value = waiting.shift();
          return value === undefined ? { done: true, value: undefined } : { done: false, value };
        },
        async return() {
          readers.delete(reader);
          onStop();
          reader.end();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

export type Tick = { channel: string; count: number };

/** State that outlives a server: entries that a subscription replays, claimed operations, and started purchases. */
export function createTestState() {
  const entries: { cursor: string; count: number }[] = [];
  const live = createTopic<{ cursor: string; count: number }>();
  return {
    claimed: new Set<string>(),
    purchases: { started: 0, topic: createTopic<Tick>(), confirmed: Promise.withResolvers<void>() },
    lastCursor: () => entries.at(-1)?.cursor ?? "0",
    append(count: number) {
      const entry = { cursor: String(entries.length + 1), count };
      entries.push(entry);
      live.publish(entry);
    },
    /** Number of open subscriptions to the entries. */
    get readers() {
      return live.readers;
    },
    follow(after: string | null | undefined): AsyncIterableIterator<{ cursor: string; count: number }> {
      const source = live.subscribe(() => undefined);
      const replayed = after == null ? [] : entries.filter(({ cursor }) => Number(cursor) > Number(after));
      return {
        async next() {
          const value = replayed.shift();
          return value ? { done: false, value } : source.next();
        },
        return: async () => source.return?.() ?? { done: true, value: undefined },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

export function createTestSchema(state = createTestState()) {
  const counters: Counters = { sources: 0, executions: 0, stopped: 0, payments: 0, contexts: 0 };
  const topic = createTopic<Tick>();
  // The plugins of the service's builder extend the options type globally. This builder uses none of them.
  const builder = new SchemaBuilder<{
    Context: TestContext;
    Scalars: { Any: { Input: unknown; Output: unknown }; Even: { Input: number; Output: number } };
  }>({} as never);

  type Node = { name: string };
  const Node = builder.objectRef<Node>("Node");
  const Colour = builder.enumType("Colour", { values: ["RED", "GREEN"] as const });
  Node.implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      child: t.field({ type: Node, resolve: (node) => ({ name: `${node.name}.` }) }),
      children: t.field({ type: [Node], args: { first: t.arg.int({ required: true }) }, resolve: createChildren }),
    }),
  });
  function createChildren(node: Node, { first }: { first: number }): Node[] {
    return Array.from({ length: first }, (_, index) => ({ name: `${node.name}${index}` }));
  }
  builder.scalarType("Any", { serialize: (value) => value });
  builder.scalarType("Even", {
    serialize: (value) => value,
    parseValue(value) {
      if (value instanceof InvalidValue) return value as never;
      if (Number(value) % 2 === 0) return Number(value);
      throw new InvalidValue("Even", "must be even");
    },
  });
  const Broken = builder.unionType("Broken", {
    types: [Node],
    resolveType: () => {
      throw new Error("type resolver secret");
    },
  });
  const TickType = builder.objectRef<Tick>("Tick").implement({
    fields: (t) => ({
      channel: t.exposeString("channel"),
      count: t.int({
        resolve: (tick) => {
          counters.executions++;
          return tick.count;
        },
      }),
      account: t.string({ nullable: true, resolve: (_tick, _args, context) => context.viewer?.account }),
    }),
  });

  const LogEntry = builder.objectRef<{ cursor: string; count: number }>("LogEntry").implement({
    fields: (t) => ({ cursor: t.exposeString("cursor"), count: t.exposeInt("count") }),
  });

  builder.queryType({
    fields: (t) => ({
      hello: t.string({ args: { name: t.arg.string() }, resolve: (_root, { name }) => `Hello, ${name ?? "world"}` }),
      paint: t.string({
        args: { colour: t.arg({ type: Colour, required: true }) },
        resolve: (_root, args) => args.colour,
      }),
      node: t.field({ type: Node, resolve: async () => ({ name: "n" }) }),
      me: t.string({ nullable: true, resolve: (_root, _args, context) => context.viewer?.account }),
      crash: t.string({
        nullable: true,
        resolve: () => {
          throw new Error("password=hunter2");
        },
      }),
      codeless: t.string({
        nullable: true,
        resolve: () => {
          throw new GraphQLError("select * from secrets");
        },
      }),
      coded: t.string({
        nullable: true,
        resolve: () => {
          throw new GraphQLError("Too dear.", { extensions: { code: "spending_limit_exceeded" } });
        },
      }),
      invalid: t.string({
        nullable: true,
        resolve: () => {
          throw new InvalidRequestError("Not an address.", "payTo");
        },
      }),
      bigint: t.field({ type: "Any", nullable: true, resolve: () => 5n }),
      broken: t.field({ type: Broken, nullable: true, resolve: async () => ({ name: "x" }) }),
    }),
  });
  builder.mutationType({
    fields: (t) => ({
      pay: t.int({ extensions: { movesMoney: true }, resolve: async () => ++counters.payments }),
      slowPay: t.int({
        args: { idempotencyKey: t.arg.string() },
        extensions: { movesMoney: true },
        resolve: async () => {
          const number = ++state.purchases.started;
          await state.purchases.confirmed.promise;
          return number;
        },
      }),
      rename: t.string({ args: { to: t.arg.string({ required: true }) }, resolve: (_root, { to }) => to }),
      reportOdd: t.string({
        args: { even: t.arg({ type: "Even", required: true }) },
        extensions: { returnsInputProblems: true },
        resolve: (_root, { even }) => ((even as unknown) instanceof InvalidValue ? "odd" : "even"),
      }),
    }),
  });
  builder.subscriptionType({
    fields: (t) => ({
      tick: t.field({
        type: TickType,
        args: { channel: t.arg.string({ required: true }), after: t.arg.string() },
        extensions: { shared: (args: { after?: string | null }) => args.after == null },
        subscribe: (_root, { channel }) => {
          counters.sources++;
          const source = topic.subscribe(() => counters.stopped++);
          return channel === "all" ? source : filterByChannel(source, channel);
        },
        resolve: (tick) => tick as Tick,
      }),
      log: t.field({
        type: LogEntry,
        args: { after: t.arg.string() },
        extensions: {
          shared: (args: { after?: string | null }) => args.after == null,
          resumable: { startCursor: state.lastCursor },
        },
        subscribe: (_root, { after }) => state.follow(after),
        resolve: (entry) => entry as { cursor: string; count: number },
      }),
      buy: t.field({
        type: TickType,
        args: { idempotencyKey: t.arg.string() },
        extensions: { movesMoney: true },
        subscribe: () => {
          state.purchases.started++;
          return state.purchases.topic.subscribe(() => undefined);
        },
        resolve: (tick) => tick as Tick,
      }),
      refused: t.field({
        type: TickType,
        extensions: { shared: true },
        subscribe: (): AsyncIterable<Tick> => {
          throw new GraphQLError("Unknown channel.", { extensions: { code: "not_found" } });
        },
        resolve: (tick) => tick as Tick,
      }),
    }),
  });
  return { schema: builder.toSchema(), counters, topic };
}

function filterByChannel(source: AsyncIterableIterator<Tick>, channel: string): AsyncIterableIterator<Tick> {
  return {
    async next() {
      for (;;) {
        const next = await source.next();
        if (next.done || next.value.channel === channel) return next;
      }
    },
    return: async () => source.return?.() ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
