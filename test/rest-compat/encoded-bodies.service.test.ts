/** Compressed bodies, rejected in the error format of each dialect. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  const secret = "w".repeat(32);
  const env = { AGENT_MAIL_DOMAIN: "agents.example", MAIL_INBOUND_SECRET: secret, MAIL_EVENTS_SECRET: secret };
  stack = await startStack({ env });
  account = await stack.account();
});
afterAll(() => stack?.stop());

const TEXT =
  "Content-Encoding gzip is not supported. Nothing was done. Send the body uncompressed, without that header.";
const house = { error: "invalid_request", error_description: TEXT, message: TEXT };
const JSON_TYPE = "application/json";

const post = (path: string, type: string, encoding: string, body: string | Buffer) =>
  fetch(stack.baseUrl + path, {
    method: "POST",
    headers: { "x-service-token": account.token, "content-type": type, "content-encoding": encoding },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });

it.each([
  ["/api/sign-payment", JSON_TYPE, 400, { ...house, field: "Content-Encoding" }],
  ["/api/trade", JSON_TYPE, 400, { ...house, field: "Content-Encoding" }],
  ["/api/x402/fetch?url=https://merchant.example/", JSON_TYPE, 400, { ...house, field: "Content-Encoding" }],
  ["/api/agent/email/attachments?filename=a", "text/plain", 400, { ...house, field: "Content-Encoding" }],
  [
    "/v1/chat/completions",
    JSON_TYPE,
    400,
    { error: expect.objectContaining({ message: TEXT, code: "invalid_request" }) },
  ],
  ["/oauth/token", "application/x-www-form-urlencoded", 400, house],
  ["/oauth/token", JSON_TYPE, 400, house],
  ["/graphql", JSON_TYPE, 415, { errors: [{ message: TEXT, extensions: { code: "UNSUPPORTED_MEDIA_TYPE" } }] }],
  ["/api/mail/inbound", "message/rfc822", 415, house],
  ["/api/mail/events", JSON_TYPE, 415, house],
])("%s names the header of a compressed %s", async (path, type, status, shown) => {
  for (const body of [gzipSync("{}"), "{}"]) {
    const reply = await post(path, type, "gzip", body);
    expect([reply.status, reply.headers.get("accept-encoding")]).toEqual([status, "identity"]);
    expect(await reply.json()).toEqual(shown);
  }
});

it("accepts identity encoding and requests without a body", async () => {
  const response = await post("/graphql", JSON_TYPE, "identity", JSON.stringify({ query: "{ __typename }" }));
  expect(await response.json()).toEqual({ data: { __typename: "Query" } });
  const headers = { "x-service-token": account.token, "content-encoding": "gzip" };
  expect((await fetch(`${stack.baseUrl}/api/transactions`, { headers })).status).toBe(200);
});

it("unauthenticated clients get only the 401 response", async () => {
  const headers = { "content-type": JSON_TYPE, "content-encoding": "gzip" };
  const reply = await fetch(`${stack.baseUrl}/api/sign-payment`, { method: "POST", headers, body: "{}" });
  expect(reply.status).toBe(401);
});
