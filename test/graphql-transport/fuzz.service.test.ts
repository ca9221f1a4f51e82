/**
 * Requests of the whole schema with faults of every kind. `npm run fuzz` sends 100,000 on each transport; FUZZ_SEED selects other
 * requests.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { buildSchema } from "../../schema/schema.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { requestBodies, requestParameters, socketFrames, subscribePayloads } from "./generated-requests.ts";
import { openRawSocket, waitUntil } from "./server.ts";

const CASES = Number(process.env["FUZZ_CASES"] ?? 500);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
const CHUNK = 500;
const CONCURRENCY = 16;
/** A stream or subscription without a result after this time is open. */
const OPEN_AFTER_MS = 40;
const TIMEOUT_MS = 60_000 + CASES * 30;

const schema = buildSchema();
let stack: Stack;
let account: TestAccount;
let webhookId: string;
beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  const create = `mutation { createWebhook(input: { url: "https://a.example/" }) { ... on CreateWebhookSuccess { webhook { id } } } }`;
  webhookId = (await stack.graphql(account.token, create)).json.data.createWebhook.webhook.id;
});

/** Runs the check on each case, some at a time. */
async function checkEach<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> {
  for (let done = 0; done < CASES; done += CHUNK) {
    const pending = fc.sample(arbitrary, { numRuns: Math.min(CHUNK, CASES - done), seed: SEED + done });
    const work = async () => {
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) await check(next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }
}

/** Returns why a value is not a result (GraphQL section 7.1), or is an unexpected failure; null if it is a result. */
function faultOf(result: unknown): string | null {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return "not an object";
  const { data, errors, extensions: _extensions, ...others } = result as Record<string, unknown>;
  if (Object.keys(others).length > 0) return `other members: ${Object.keys(others)}`;
  if (data === undefined && errors === undefined) return "neither data nor errors";
  if (errors === undefined) return null;
  if (!Array.isArray(errors) || errors.length === 0) return "errors are empty";
  for (const { message, extensions } of errors) {
    if (typeof message !== "string" || typeof extensions?.code !== "string")
      return "an error without a message or code";
    if (extensions.code === "internal_error") return "internal_error";
  }
  return errors.length > 120 ? "too many errors" : null;
}

function checkResponse(request: unknown, status: number, text: string): void {
  const fail = (fault: string) =>
    expect.fail(`${fault}\nstatus ${status}: ${text.slice(0, 2_000)}\nrequest: ${JSON.stringify(request)}`);
  if (status !== 200 && !(status >= 400 && status < 500)) fail("the status is neither 200 nor 4xx");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    fail("the body is not JSON");
  }
  for (const result of Array.isArray(body) ? body : [body]) {
    const fault = faultOf(result);
    if (fault !== null) fail(fault);
  }
}

const credential = () => ({ "x-service-token": account.token });

test("each JSON POST receives a GraphQL response", { timeout: TIMEOUT_MS }, async () => {
  const headers = { ...credential(), "content-type": "application/json" };
  await checkEach(requestBodies(schema), async (body) => {
    const response = await fetch(`${stack.baseUrl}/graphql`, { method: "POST", headers, body });
    checkResponse(body, response.status, await response.text());
  });
});

test("each GET receives a GraphQL response", { timeout: TIMEOUT_MS }, async () => {
  await checkEach(requestParameters(schema), async (parameters) => {
    const search = new URLSearchParams(parameters);
    const response = await fetch(`${stack.baseUrl}/graphql?${search}`, { headers: credential() });
    checkResponse(parameters, response.status, await response.text());
  });
});

test("each event stream has a result, or remains open for events", { timeout: TIMEOUT_MS }, async () => {
  const headers = { ...credential(), "content-type": "application/json", accept: "text/event-stream" };
  await checkEach(requestBodies(schema), async (body) => {
    const abort = new AbortController();
    const response = await fetch(`${stack.baseUrl}/graphql`, { method: "POST", headers, body, signal: abort.signal });
    let text = "";
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })();
    const isOpen = await Promise.race([reading.then(() => false), wait(OPEN_AFTER_MS)]);
    abort.abort();
    await reading.catch(() => undefined);
    if (!isOpen && response.headers.get("content-type")?.startsWith("application/"))
      return checkResponse(body, response.status, text);
    // Generated mutations can cause events of an open stream.
    for (const [, result = ""] of text.matchAll(/^data: (.+)$/gm)) checkResponse(body, response.status, result);
    expect([response.headers.get("content-type"), text.includes("event: complete")], body).toEqual([
      "text/event-stream",
      !isOpen,
    ]);
  });
});

const wait = (durationMs: number) => new Promise<true>((resolve) => setTimeout(() => resolve(true), durationMs));

const CANARY = "subscription { accountEventOccurred(types: [WEBHOOK_TEST]) { cursor } }";

/** Opens an authenticated socket with a subscription of the id `canary`. */
async function openSocket() {
  const raw = await openRawSocket(`${stack.baseUrl.replace("http", "ws")}/graphql`);
  raw.init(account.token);
  await waitUntil(() => raw.messages.length > 0);
  raw.send({ id: "canary", type: "subscribe", payload: { query: CANARY } });
  return raw;
}

/** Causes an event of the account, and waits for it. */
async function expectCanary({ messages }: Awaited<ReturnType<typeof openSocket>>): Promise<void> {
  // A generated request may have been `stopEverything`.
  const notFrozen = { frozenAt: null, frozenBy: null, freezeReason: null };
  await stack.service.deps.db.prisma.account.update({ where: { id: account.accountId }, data: notFrozen });
  const send = "mutation ($id: ID!) { sendTestEvent(input: { webhookId: $id }) { __typename } }";
  const { json } = await stack.graphql(account.token, send, { id: webhookId });
  expect(json).toEqual({ data: { sendTestEvent: { __typename: "SendTestEventSuccess" } } });
  await expect.poll(() => messages.some(({ id, type }) => id === "canary" && type === "next")).toBe(true);
}

test("each operation of a socket has a result or remains open, and the others continue", {
  timeout: TIMEOUT_MS,
}, async () => {
  const raw = await openSocket();
  const waiting = new Map<unknown, (message: Message) => void>();
  raw.socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    waiting.get(message.id)?.(message);
    if (message.id !== "canary") raw.messages.pop();
  });
  let operations = 0;
  await checkEach(subscribePayloads(schema), async (payload) => {
    const id = `${operations++}`;
    const result = new Promise<Message>((resolve) => waiting.set(id, resolve));
    raw.socket.send(`{"id":"${id}","type":"subscribe","payload":${payload}}`);
    const first = await Promise.race([result, raw.closed, openUnlessQuery(payload)]);
    waiting.delete(id);
    if (first === null) return raw.send({ id, type: "complete" });
    if ("code" in first) return expect.fail(`closed: ${JSON.stringify(first)}\npayload: ${payload}`);
    if (first.type === "complete") return undefined;
    const body = first.type === "error" ? { errors: first.payload } : first.payload;
    return checkResponse(payload, 200, JSON.stringify(body));
  });
  await expectCanary(raw);
  raw.socket.close();
});

type Message = { id: string; type: string; payload: unknown };

/** Resolves with null for an operation that may remain open. */
const openUnlessQuery = (payload: string) =>
  payload.includes("subscription") ? wait(OPEN_AFTER_MS).then(() => null) : new Promise<never>(() => undefined);

/** Codes of graphql-transport-ws and RFC 6455 for messages that a client must not send. */
const PROTOCOL_ERRORS = [1003, 1007, 1009, 4400, 4401, 4409, 4429];

test("frames that the protocol does not permit close only their socket", { timeout: TIMEOUT_MS }, async () => {
  const canary = await openSocket();
  let raw = await openSocket();
  for (let done = 0; done < CASES; done += CHUNK) {
    const frames = fc.sample(socketFrames(schema), { numRuns: Math.min(CHUNK, CASES - done), seed: SEED + done });
    for (const { text, isBinary } of frames) {
      raw.socket.send(Buffer.from(text), { binary: isBinary });
      const { length } = raw.messages;
      raw.socket.send('{"type":"ping","payload":{"barrier":1}}');
      const isBarrier = ({ payload }: Record<string, unknown>) => JSON.stringify(payload) === '{"barrier":1}';
      const isOpen = async () => {
        while (!raw.messages.slice(length).some(isBarrier)) await once(raw.socket);
        return null;
      };
      const closed = await Promise.race([isOpen(), raw.closed]);
      if (closed === null) continue;
      expect(PROTOCOL_ERRORS, `${closed.code} ${closed.reason}\nframe: ${text}`).toContain(closed.code);
      raw = await openSocket();
    }
  }
  raw.socket.close();
  await expectCanary(canary);
  canary.socket.close();
});

const once = (socket: WebSocket) => new Promise<void>((resolve) => socket.once("message", () => resolve()));
