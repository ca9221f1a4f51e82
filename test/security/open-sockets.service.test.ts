/** Authentication of WebSockets, and changes of permissions while they are open. No chain is reachable. */
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { openSignedInBrowser } from "../support/oauth.ts";
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

/** Opens a socket; null if it is rejected. `run` sends an operation with a new id and returns its first result. */
async function openSocket(payload: object, headers: Record<string, string> = {}) {
  const socket = new WebSocket(
    `${stack.service.deps.site.browserUrl().replace("http", "ws")}/graphql`,
    "graphql-transport-ws",
    { headers },
  );
  onTestFinished(() => socket.terminate());
  // A rejected upgrade also emits `close`.
  socket.on("error", () => {});
  const messages: Message[] = [];
  const listeners = new Set<() => void>();
  socket.on("message", (data) => {
    messages.push(JSON.parse(String(data)));
    for (const listener of listeners) listener();
  });
  const waitForMessage = (matches: (message: Message) => boolean) =>
    new Promise<Message | null>((resolve) => {
      const checkMessages = () => {
        const message = messages.find(matches);
        if (message) resolve(message);
      };
      listeners.add(checkMessages);
      socket.once("close", () => resolve(null));
      checkMessages();
    });
  socket.once("open", () => socket.send(JSON.stringify({ type: "connection_init", payload })));
  if ((await waitForMessage(({ type }) => type === "connection_ack")) === null) return null;
  let lastId = 0;
  const send = (query: string) => {
    const id = String(++lastId);
    socket.send(JSON.stringify({ id, type: "subscribe", payload: { query } }));
    return id;
  };
  const run = async (query: string) => {
    const id = send(query);
    return (await waitForMessage((message) => message.id === id))?.payload;
  };
  return { send, run };
}

it("a page of another origin cannot claim this site's origin in its connection parameters", async () => {
  const { accountId } = await stack.account();
  const { cookie } = await openSignedInBrowser(stack, accountId);
  const site = stack.service.deps.site.browserUrl();
  const headers = { cookie: cookie ?? "", origin: NEIGHBOUR };
  const claims = [
    {},
    { origin: 1, "sec-fetch-site": 1 },
    { Origin: site, Host: new URL(site).host },
    { cookie, origin: site },
  ];
  for (const claim of claims) expect(await openSocket(claim, headers)).toBeNull();
  expect(await openSocket({ cookie }, { origin: NEIGHBOUR })).toBeNull();
  expect(await openSocket({}, { ...headers, origin: site })).not.toBeNull();
});

it("reduced scopes of a token apply to open sockets", async () => {
  const account = await stack.account({ token: { scopes: ["balance:read"] } });
  const socket = await openSocket({ "x-service-token": account.token });
  const query = "{ viewer { transactions(first: 1) { edges { cursor } } } }";
  expect((await socket?.run(query))?.errors).toBeUndefined();
  const { prisma } = stack.service.deps.db;
  await prisma.account.update({ where: { id: account.accountId }, data: { strictScopes: true } });
  expect((await socket?.run(query))?.errors[0].extensions.code).toBe("forbidden");
});

it("a token cannot join a subscription of a token with more scopes", async () => {
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
  const wide = await openSocket({ "x-service-token": account.token });
  const narrow = await openSocket({ "x-service-token": secret });
  const query = "subscription { transactionUpdated { cursor } }";
  wide?.send(query);
  // The result arrives after the subscription started, as a socket's messages are processed in order.
  await wide?.run("{ __typename }");
  expect((await narrow?.run(query))?.errors[0].extensions.code).toBe("forbidden");
});
