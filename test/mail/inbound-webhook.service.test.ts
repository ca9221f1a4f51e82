/** The inbound webhook for mail providers, with signatures by the Standard Webhooks library. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Webhook } from "standardwebhooks";
import { Client } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { setDns } from "./senders.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
/** The secret before its replacement, which stays valid meanwhile. */
const OLD_SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const MAX_BYTES = 50_000;
let stack: OwnStack;
let mailbox: Mailbox;

beforeAll(async () => {
  const env = {
    AGENT_MAIL_DOMAIN: "agents.example",
    MAIL_INBOUND_SECRET: `${SECRET}, ${OLD_SECRET}`,
    MAIL_MAX_MESSAGE_BYTES: String(MAX_BYTES),
    MAIL_MAX_UNPROVEN_BYTES: "20000",
  };
  stack = await startStack({ networks: [], env });
  mailbox = await createMailbox(stack, await stack.account());
  await setDns(stack, [{ name: "ada.example", type: "TXT", data: "v=spf1 ip4:192.0.2.7 -all" }]);
});
afterAll(() => stack?.stop());

const message = (subject: string) =>
  `From: Ada <ada@ada.example>\r\nTo: ${mailbox.address}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@ada.example>\r\n\r\nHello, posted.\r\n`;
const stored = (subject: string) => stack.service.deps.db.prisma.mailMessage.findMany({ where: { subject } });

interface Post {
  readonly query?: Record<string, string>;
  readonly secret?: string;
  readonly at?: Date;
  /** The body that is sent instead of the signed one. */
  readonly sent?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** Returns a provider's headers for a body, with its signature. */
const signed = (body: string, { secret = SECRET, at = new Date() }: Post = {}) => {
  const id = `msg_${randomBytes(8).toString("hex")}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
};

async function post(body: string, options: Post = {}) {
  const { query = {}, sent = body, headers = {} } = options;
  const search = new URLSearchParams({
    to: mailbox.address,
    from: "ada@ada.example",
    ip: "192.0.2.7",
    helo: "mx.ada.example",
    ...query,
  });
  const response = await fetch(`${stack.baseUrl}/api/mail/inbound?${search}`, {
    method: "POST",
    headers: {
      "content-type": "message/rfc822",
      ...signed(body, options),
      ...headers,
    },
    body: typeof sent === "string" ? sent : new Uint8Array(sent),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses have several shapes.
  return { status: response.status, json: (await response.json()) as any };
}

it("stores a message once and checks SPF with the provider's ip and helo", async () => {
  const first = await post(message("posted"));
  expect(first).toEqual({ status: 200, json: { messageIds: [expect.stringMatching(/^aem_/)], duplicates: 0 } });
  expect((await stored("posted"))[0]).toMatchObject({
    spfResult: "pass",
    remoteAddress: "192.0.2.7",
    envelopeFrom: "ada@ada.example",
  });
  expect(await post(message("posted"))).toEqual({ status: 200, json: { messageIds: [], duplicates: 1 } });
  await post(message("elsewhere"), { query: { ip: "192.0.2.99" } });
  expect((await stored("elsewhere"))[0]).toMatchObject({ spfResult: "fail" });
});

it("refuses large messages of unproven senders, and messages to a full mailbox", async () => {
  const large = (subject: string) => `${message(subject)}${"A long text.\r\n".repeat(2_000)}`;
  const refused = await post(large("unproven"), { query: { ip: "192.0.2.99" } });
  expect(refused).toMatchObject({ status: 413, json: { error: "payload_too_large" } });
  expect(await post(large("proven"))).toMatchObject({ status: 200 });
  const { mailUsage } = stack.service.deps.db.prisma;
  await mailUsage.create({ data: { mailboxId: mailbox.id, hostNetwork: "192.0.2.50", bytes: 1_073_741_824n } });
  expect(await post(message("full"))).toMatchObject({ status: 429, json: { error: "rate_limited" } });
  await mailUsage.deleteMany({ where: { hostNetwork: "192.0.2.50" } });
  expect(await post(message("full"))).toMatchObject({ status: 200 });
});

it("passes mail to the operator on, also beside a mailbox", async () => {
  expect(await post(message("to-operator"), { query: { to: "postmaster@agents.example" } })).toEqual({
    status: 200,
    json: { messageIds: [], duplicates: 0 },
  });
  const list = await fetch(`${stack.sandbox?.mailUrl}/messages?to=operator@satchel.localhost`);
  const { messages } = (await list.json()) as { messages: { subject: string }[] };
  expect(messages.map(({ subject }) => subject)).toEqual(["to-operator"]);
  expect(await stored("to-operator")).toEqual([]);
});

it("accepts any of several signatures, as during a secret rotation", async () => {
  const body = message("rotated");
  const at = new Date();
  const good = new Webhook(SECRET).sign("msg_rotated", at, body);
  const headers = { "webhook-id": "msg_rotated", "webhook-signature": `v1,${"A".repeat(43)}= v1a,xxxx ${good}` };
  expect(await post(body, { at, headers })).toMatchObject({ status: 200 });
});

it("accepts each of the configured secrets, while one is replaced", async () => {
  expect(await post(message("former-secret"), { secret: OLD_SECRET })).toMatchObject({ status: 200 });
  expect(await stored("former-secret")).toHaveLength(1);
});

describe("rejects without storing", () => {
  const wrong: readonly (readonly [string, Post, number])[] = [
    ["another secret", { secret: `whsec_${randomBytes(32).toString("base64")}` }, 401],
    ["a changed body", { sent: "Subject: forged\r\n\r\nHi\r\n" }, 401],
    ["a longer body", { sent: `${"Subject: forged\r\n\r\n"}${"x".repeat(5_000)}` }, 401],
    ["no body", { sent: "" }, 401],
    ["an old timestamp", { at: new Date(Date.now() - 3_600_000) }, 401],
    ["a future timestamp", { at: new Date(Date.now() + 3_600_000) }, 401],
    ["an invalid timestamp", { headers: { "webhook-timestamp": "NaN" } }, 401],
    ["no signature", { headers: { "webhook-signature": "" } }, 401],
    ["a signature of another version", { headers: { "webhook-signature": "v2,AAAA" } }, 401],
    ["another id", { headers: { "webhook-id": "msg_other" } }, 401],
    ["an unknown recipient", { query: { to: "nobody@agents.example" } }, 404],
    ["no recipient", { query: { to: "" } }, 404],
    ["an invalid ip", { query: { ip: "x" } }, 400],
    ["a sender with a line break", { query: { from: "a\r\nb@x" } }, 400],
    ["too many bytes", { sent: `Subject: forged\r\n\r\n${"x".repeat(MAX_BYTES)}` }, 413],
  ];
  it.each(wrong)("%s: %#", async (name, options, status) => {
    const subject = `wrong-${name.replaceAll(" ", "-")}`;
    expect((await post(message(subject), options)).status).toBe(status);
    expect(await stored(subject)).toEqual([]);
    expect(await stored("forged")).toEqual([]);
  });
});

const TOO_LARGE = Buffer.alloc(100 * MAX_BYTES, "x");
it.each([
  ["with Content-Length", () => TOO_LARGE],
  ["in chunks", () => Readable.from([TOO_LARGE, TOO_LARGE, TOO_LARGE])],
])("leaves the connection usable after an oversized message sent %s", async (_how, body) => {
  const client = new Client(stack.baseUrl);
  try {
    const path = `/api/mail/inbound?to=${mailbox.address}&from=`;
    const refused = await client.request({ path, method: "POST", headers: signed("less"), body: body() });
    expect([refused.statusCode, await refused.body.json()]).toMatchObject([413, { error: "payload_too_large" }]);
    const next = await client.request({ path: "/health/live", method: "GET", headersTimeout: 10_000 });
    expect([next.statusCode, await next.body.json()]).toEqual([200, { status: "ok" }]);
  } finally {
    await client.destroy();
  }
});

it("responds with 404 when no secret is configured", async () => {
  const unconfigured = await startStack({});
  const response = await unconfigured.rest(null, "POST", "/api/mail/inbound?to=a&from=b", {});
  await unconfigured.stop();
  expect(response.status).toBe(404);
});
