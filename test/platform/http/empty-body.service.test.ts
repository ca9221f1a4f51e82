/** Requests with a content type but no body, as some clients send them. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";

const MAIL_SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  stack = await startStack({ env: { MAIL_INBOUND_SECRET: MAIL_SECRET, MAIL_EVENTS_SECRET: MAIL_SECRET } });
  account = await stack.account();
});
afterAll(() => stack.stop());

/** One route for each way of reading a body, with the expected status and a part of the response. */
const ROUTES = [
  ["POST", "/api/sign-payment", 400, "body is missing"],
  ["POST", "/api/trade", 400, "is missing"],
  ["POST", "/api/agent/email", 400, "no_active_agent"],
  ["DELETE", "/api/webhooks/whk_unknown", 404, "not_found"],
  ["POST", "/api/x402/fetch", 400, "url is missing"],
  ["POST", "/v1/chat/completions", 400, "body is missing"],
  ["POST", "/oauth/token", 400, "grant_type"],
  ["POST", "/graphql", 400, "errors"],
  ["POST", "/api/agent/email/attachments", 400, "filename is missing"],
  ["POST", "/api/mail/inbound", 401, "unauthorized"],
  ["POST", "/api/mail/events", 401, "unauthorized"],
  ["GET", "/api/transactions", 200, "transactions"],
] as const;

/** Sends a request over a TCP socket, because HTTP clients add their own headers. */
async function sendRequest(method: string, path: string, length: string, type = "application/json") {
  const { hostname, port } = new URL(stack.baseUrl);
  const socket = connect(Number(port), hostname);
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\nx-service-token: ${account.token}\r\n`;
  const end = length.startsWith("transfer") ? "0\r\n\r\n" : "";
  socket.write(`${head}content-type: ${type}\r\n${length}connection: close\r\n\r\n${end}`);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(socket, "close");
  return { status: Number(text.split(" ")[1]), text };
}

describe.each([
  ["no length", ""],
  ["a length of 0", "content-length: 0\r\n"],
])("with %s", (_name, length) => {
  it.each(ROUTES)("%s %s responds with %i: %s", async (method, path, status, part) => {
    expect(await sendRequest(method, path, length)).toEqual({ status, text: expect.stringContaining(part) });
  });

  it.each(["application/x-www-form-urlencoded", "text/plain"])(
    "routes respond to the content type %s",
    async (type) => {
      expect((await sendRequest("POST", "/oauth/token", length, type)).status).toBe(400);
      expect((await sendRequest("POST", "/api/sign-payment", length, type)).status).toBe(400);
    },
  );
});

it.each(ROUTES)("%s %s responds to an empty chunked body", async (method, path) => {
  expect((await sendRequest(method, path, "transfer-encoding: chunked\r\n")).status).toBeLessThan(500);
});

it("the service stops without delay afterwards", async () => {
  const own = await startStack();
  await fetch(`${own.baseUrl}/oauth/token`, { method: "POST", headers: { "content-type": "application/json" } });
  const startedMs = performance.now();
  await own.stop();
  expect(performance.now() - startedMs).toBeLessThan(15_000);
});
