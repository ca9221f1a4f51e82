/** What a WebSocket's caller may say of itself, and what it may still do once its leave was narrowed. No chain answers. */
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { signedIn } from "../support/oauth.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

const NEIGHBOUR = "http://localhost:3999";

let stack: OwnStack;
beforeAll(async () => {
  stack = await startStack({ env: { CORS_ORIGINS: NEIGHBOUR } });
});
afterAll(() => stack.stop());

interface Message {
  readonly id?: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape.
  readonly payload?: any;
}

/** Opens a socket; null when it is refused. `ask` answers the first message under a new id. */
async function open(payload: object, headers: Record<string, string> = {}) {
  const socket = new WebSocket(
    `${stack.service.deps.site.browserUrl().replace("http", "ws")}/graphql`,
    "graphql-transport-ws",
    { headers },
  );
  onTestFinished(() => socket.terminate());
  // A refused upgrade is closed, too.
  socket.on("error", () => {});
  const messages: Message[] = [];
  const listeners = new Set<() => void>();
  socket.on("message", (data) => {
    messages.push(JSON.parse(String(data)));
    for (const listener of listeners) listener();
  });
  const first = (found: (message: Message) => boolean) =>
    new Promise<Message | null>((resolve) => {
      const look = () => {
        const message = messages.find(found);
        if (message) resolve(message);
      };
      listeners.add(look);
      socket.once("close", () => resolve(null));
      look();
    });
  socket.once("open", () => socket.send(JSON.stringify({ type: "connection_init", payload })));
  if ((await first(({ type }) => type === "connection_ack")) === null) return null;
  let asked = 0;
  const send = (query: string) => {
    const id = String(++asked);
    socket.send(JSON.stringify({ id, type: "subscribe", payload: { query } }));
    return id;
  };
  const ask = async (query: string) => {
    const id = send(query);
    return (await first((message) => message.id === id))?.payload;
  };
  return { send, ask };
}

it("a page of another origin does not become this site's by saying so", async () => {
  const { accountId } = await stack.account();
  const { cookie } = await signedIn(stack, accountId);
  const site = stack.service.deps.site.browserUrl();
  const headers = { cookie: cookie ?? "", origin: NEIGHBOUR };
  const claims = [
    {},
    { origin: 1, "sec-fetch-site": 1 },
    { Origin: site, Host: new URL(site).host },
    { cookie, origin: site },
  ];
  for (const claim of claims) expect(await open(claim, headers)).toBeNull();
  expect(await open({ cookie }, { origin: NEIGHBOUR })).toBeNull();
  expect(await open({}, { ...headers, origin: site })).not.toBeNull();
});

it("a token that was narrowed is narrower on sockets that are open", async () => {
  const account = await stack.account({ token: { scopes: ["balance:read"] } });
  const socket = await open({ "x-service-token": account.token });
  const query = "{ viewer { transactions(first: 1) { edges { cursor } } } }";
  expect((await socket?.ask(query))?.errors).toBeUndefined();
  const { prisma } = stack.service.deps.db;
  await prisma.account.update({ where: { id: account.accountId }, data: { strictScopes: true } });
  expect((await socket?.ask(query))?.errors[0].extensions.code).toBe("forbidden");
});

it("a token does not join what a wider one of the same account watches", async () => {
  const account = await stack.account();
  const { db } = stack.service.deps;
  const limits = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
  const terms = { networks: ["base"], allowedHosts: [], allowedPayees: [], expiresAt: null };
  const { secret } = await storeApiToken(db, account.accountId, {
    name: "narrow",
    limits,
    scopes: ["balance:read"],
    ...terms,
  });
  await db.prisma.account.update({ where: { id: account.accountId }, data: { strictScopes: true } });
  const wide = await open({ "x-service-token": account.token });
  const narrow = await open({ "x-service-token": secret });
  const query = "subscription { transactionUpdated { cursor } }";
  wide?.send(query);
  // Answered after the subscription was begun: messages of a socket are taken in their order.
  await wide?.ask("{ __typename }");
  expect((await narrow?.ask(query))?.errors[0].extensions.code).toBe("forbidden");
});
