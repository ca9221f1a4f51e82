// @module-tag postgresql
/** Webhooks end to end: created over GraphQL, triggered by real payments, verified with the Standard Webhooks library. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { type Receiver, startReceiver, verify } from "./receiver.ts";

let stack: Stack;
let account: TestAccount;
let receiver: Receiver;

beforeAll(async () => {
  stack = await sharedStack();
}, 120_000);
beforeEach(async () => {
  account = await stack.account();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const WEBHOOK =
  "id webhookId url description eventTypes isEnabled disabledReason deliveries { edges { node { id status attempts responseStatus failureReason eventId event { type } } } }";
const ERROR = "... on Error { __typename code message } ... on InvalidRequestError { field }";

/** Runs a mutation with one input and returns its result. */
async function change(name: string, input: object, fields: string, token = account.token) {
  const pascal = name[0]?.toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ${ERROR} ... on ${pascal}Success { ${fields} } } }`;
  const { json } = await stack.graphql(token, query, { input });
  expect(json.errors).toBeUndefined();
  return json.data[name];
}

const create = (input: object = {}) =>
  change("createWebhook", { url: receiver.url, ...input }, `secret webhook { ${WEBHOOK} }`);

async function webhooks(token = account.token) {
  const { json } = await stack.graphql(token, `{ viewer { webhooks { edges { node { ${WEBHOOK} } } } } }`);
  return json.data.viewer.webhooks.edges.map(({ node }: { node: object }) => node);
}
const deliveries = async () =>
  (await webhooks()).flatMap((it: { deliveries: { edges: { node: object }[] } }) =>
    it.deliveries.edges.map(({ node }) => node),
  );

describe("a payment event", () => {
  it("is delivered after settlement on chain with a valid Standard Webhooks signature", async () => {
    await stack.fund(account, "1000000");
    const { secret } = await create({ eventTypes: ["PAYMENT_SETTLED"], description: "Accounting" });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const paid = await stack.rest(
      account.token,
      "POST",
      `/api/x402/fetch?url=${stack.sandbox?.shopUrl}/v1/weather`,
      undefined,
    );
    expect(paid.status).toBe(200);
    await expect.poll(() => receiver.received.length).toBe(1);
    const [request] = receiver.received as [Receiver["received"][0]];
    const id = paid.headers.get("x-satchel-payment-id");
    expect(request.json).toMatchObject({
      id: request.headers["webhook-id"],
      type: "payment.settled",
      data: { id, type: "x402", status: "settled", amount: "0.01", network: "base-sepolia" },
    });
    expect(Object.keys(request.json)).toEqual(["id", "type", "createdAt", "data"]);
    expect(verify(secret, request)).toEqual(request.json);
    expect(() => verify(secret, { ...request, body: request.body.replace("0.01", "0.02") })).toThrow();
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect(() => verify(other, request)).toThrow();
    const { json } = await stack.graphql(
      account.token,
      "{ viewer { events { edges { node { eventId type payload } } } } }",
    );
    expect(json.data.viewer.events.edges).toEqual([
      { node: { eventId: request.json.id, type: "PAYMENT_SETTLED", payload: request.json.data } },
    ]);
  });

  it("is delivered for a released payment to a webhook with that event type", async () => {
    await create({ eventTypes: ["PAYMENT_RELEASED"] });
    const { db, pubsub } = stack.service.deps;
    const row = await db.prisma.transaction.findFirstOrThrow({ where: { accountId: account.accountId } });
    const id = `tx_${Date.now()}_released`;
    const [settledAt, updatedAt] = [null, new Date()];
    await db.prisma.transaction.create({
      data: { ...row, authorization: {}, id, type: "x402", status: "released", settledAt, updatedAt },
    });
    pubsub.publish(`transaction:${account.accountId}`, id);
    await expect.poll(() => receiver.received.map(({ json }) => json.data.id)).toEqual([id]);
  });
});

describe("a webhook secret", () => {
  it("is rotated, and only the previous secret also signs", async () => {
    const { secret: first, webhook } = await create();
    const { secret: second } = await change("rotateWebhookSecret", { id: webhook.id }, "secret");
    expect(second).not.toBe(first);
    await change("sendTestEvent", { webhookId: webhook.id }, "delivery { id status }");
    await expect.poll(() => receiver.received.length).toBe(1);
    const [request] = receiver.received as [Receiver["received"][0]];
    expect(request.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect([verify(first, request), verify(second, request)]).toEqual([request.json, request.json]);
    const { secret: third } = await change("rotateWebhookSecret", { id: webhook.id }, "secret");
    await change("sendTestEvent", { webhookId: webhook.id }, "delivery { id }");
    await expect.poll(() => receiver.received.length).toBe(2);
    const later = receiver.received[1] as Receiver["received"][0];
    expect(verify(third, later)).toEqual(later.json);
    expect(() => verify(first, later)).toThrow();
  });

  it("is sealed in the database and absent from lists", async () => {
    const { secret, webhook } = await create();
    const row = await stack.service.deps.db.prisma.webhookEndpoint.findUniqueOrThrow({
      where: { id: webhook.webhookId },
    });
    const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
    const sealed = Buffer.from(row.sealedSecrets);
    expect([sealed.includes(bytes), sealed.includes(secret.slice(6))]).toEqual([false, false]);
    const shown = await stack.rest(account.token, "GET", "/api/webhooks");
    expect(shown.text).not.toContain(secret.slice(6, 20));
  });
});

describe("deliveries", () => {
  it("are listed with their results and can be replayed", async () => {
    const { webhook } = await create();
    receiver.respondWith(500);
    await change("sendTestEvent", { webhookId: webhook.id }, "delivery { id }");
    await expect.poll(deliveries).toMatchObject([
      {
        status: "PENDING",
        attempts: 1,
        responseStatus: 500,
        failureReason: "The endpoint responded with 500.",
        event: { type: "WEBHOOK_TEST" },
      },
    ]);
    receiver.respondWith(204);
    const [{ id }] = await deliveries();
    await change("replayWebhookDelivery", { id }, "delivery { status }");
    await expect.poll(deliveries).toMatchObject([{ status: "DELIVERED", responseStatus: 204, failureReason: null }]);
    await change("replayWebhookDelivery", { id }, "delivery { status }");
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  it("that receive 410 disable the webhook immediately and email the account owner", async () => {
    const { webhook } = await create();
    receiver.respondWith(410);
    await change("sendTestEvent", { webhookId: webhook.id }, "delivery { id }");
    await expect.poll(() => webhooks()).toMatchObject([{ isEnabled: false, disabledReason: "GONE" }]);
    expect(await deliveries()).toMatchObject([{ status: "FAILED", responseStatus: 410 }]);
    const rejected = await change("sendTestEvent", { webhookId: webhook.id }, "delivery { id }");
    expect(rejected).toMatchObject({ code: "INVALID_REQUEST", field: "webhookId" });
    expect(receiver.received).toHaveLength(1);
    const { email } = await stack.service.deps.db.prisma.account.findUniqueOrThrow({
      where: { id: account.accountId },
    });
    const listEmails = async () => {
      const response = await fetch(`${stack.sandbox?.mailUrl}/messages?to=${encodeURIComponent(email ?? "")}`);
      return ((await response.json()) as { messages: { subject: string; text: string }[] }).messages;
    };
    await expect
      .poll(listEmails)
      .toMatchObject([{ subject: `Your webhook at ${new URL(receiver.url).host} is disabled` }]);
    expect((await listEmails())[0]?.text).toContain(`/dashboard/webhooks/${webhook.webhookId}`);
  });

  it("can be requested for events that occurred before the webhook was created", async () => {
    await stack.graphql(account.token, "{ viewer { events { edges { cursor } } } }");
    const { db } = stack.service.deps;
    const row = await db.prisma.transaction.findFirstOrThrow({ where: { accountId: account.accountId } });
    const ids = Array.from({ length: 5 }, (_, index) => `tx_${Date.now()}_old${index}`);
    const at = new Date(Date.now() - 3_600_000);
    for (const id of ids) {
      await db.prisma.transaction.create({
        data: { ...row, authorization: {}, id, type: "x402", status: "failed", settledAt: null, updatedAt: at },
      });
      stack.service.deps.pubsub.publish(`transaction:${account.accountId}`, id);
    }
    const { json } = await stack.graphql(account.token, "{ viewer { events { edges { cursor } } } }");
    expect(json.errors).toBeUndefined();
    const eventsOf = () => db.prisma.accountEvent.count({ where: { accountId: account.accountId } });
    await expect.poll(eventsOf).toBe(5);
    const { webhook } = await create({ eventTypes: ["PAYMENT_FAILED"] });
    expect(receiver.received).toHaveLength(0);
    const input = { webhookId: webhook.id, since: new Date(at.getTime() - 1_000).toISOString() };
    expect(await change("replayEventsSince", input, "count webhook { id }")).toEqual({
      count: 5,
      webhook: { id: webhook.id },
    });
    await expect.poll(() => receiver.received.map(({ json: { data } }) => data.id).toSorted()).toEqual(ids);
    await expect
      .poll(async () => (await deliveries()).every((it: { status: string }) => it.status === "DELIVERED"))
      .toBe(true);
    expect(await change("replayEventsSince", input, "count")).toEqual({ count: 0 });
    expect(await change("replayEventsSince", { ...input, includeDelivered: true }, "count")).toEqual({ count: 5 });
  });
});

describe("a webhook", () => {
  it.each([
    ["http://10.0.0.1/hook", "URL_NOT_ALLOWED"],
    ["http://169.254.169.254/latest", "URL_NOT_ALLOWED"],
    ["https://user:secret@app.example/hook", "URL_NOT_ALLOWED"],
    ["ftp://app.example/", "URL_NOT_ALLOWED"],
    ["http://app.example/hook", "INVALID_REQUEST"],
    ["https://app.exa\nmple/hook", "INVALID_REQUEST"],
    ["hook", "INVALID_REQUEST"],
  ])("is not created for the URL %s", async (url, code) => {
    expect(await create({ url })).toMatchObject({ code });
    expect(await webhooks()).toEqual([]);
  });

  it("is updated, disabled, enabled and deleted", async () => {
    const { webhook } = await create({ description: " Accounting " });
    expect(webhook).toMatchObject({ description: "Accounting", eventTypes: [], isEnabled: true });
    const { id } = webhook;
    const changed = await change(
      "updateWebhook",
      { id, description: "Mail", eventTypes: ["MAIL_RECEIVED", "MAIL_RECEIVED"], isEnabled: false },
      `webhook { ${WEBHOOK} }`,
    );
    expect(changed.webhook).toMatchObject({
      url: receiver.url,
      description: "Mail",
      eventTypes: ["MAIL_RECEIVED"],
      isEnabled: false,
      disabledReason: "PERSON",
    });
    const on = await change("updateWebhook", { id, isEnabled: true }, `webhook { ${WEBHOOK} }`);
    expect(on.webhook).toMatchObject({ isEnabled: true, disabledReason: null, description: "Mail" });
    const hidden = await change("updateWebhook", { id, description: "a\u202eb" }, "webhook { id }");
    expect(hidden).toMatchObject({ code: "INVALID_REQUEST", field: "description" });
    const lookUp = `{ webhook(id: "${webhook.webhookId}") { id isEnabled } }`;
    expect((await stack.graphql(account.token, lookUp)).json).toEqual({ data: { webhook: { id, isEnabled: true } } });
    expect(await change("deleteWebhook", { id }, "deletedId")).toEqual({ deletedId: id });
    expect(await change("deleteWebhook", { id }, "deletedId")).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is accessible only to its account, with the scope account:manage", async () => {
    const { webhook } = await create();
    const otherAccount = await stack.account();
    for (const [name, input] of [
      ["updateWebhook", { id: webhook.id, isEnabled: false }],
      ["rotateWebhookSecret", { id: webhook.id }],
      ["sendTestEvent", { webhookId: webhook.id }],
      ["deleteWebhook", { id: webhook.id }],
      ["replayEventsSince", { webhookId: webhook.id, since: "2026-01-01T00:00:00Z" }],
    ] as const) {
      expect(await change(name, input, "__typename", otherAccount.token), name).toMatchObject({ code: "NOT_FOUND" });
    }
    for (const id of [webhook.webhookId, "whk_1_none", "none", "%00"]) {
      const { status, json } = await stack.rest(otherAccount.token, "DELETE", `/api/webhooks/${id}`);
      expect([status, json.error], id).toEqual([404, "not_found"]);
    }
    const node = `{ node(id: "${webhook.id}") { id } }`;
    expect((await stack.graphql(otherAccount.token, node)).json.data.node).toBeNull();
    const limited = await stack.account({ token: { scopes: ["payments:sign"] } });
    const rejected = await change("createWebhook", { url: receiver.url }, "secret", limited.token);
    expect(rejected).toMatchObject({ code: "FORBIDDEN" });
  });

  it("cannot have event types its creator may not read where scopes are enforced", async () => {
    const creator = await stack.account({ token: { scopes: ["account:manage", "transactions:read"] } });
    await stack.service.deps.db.prisma.account.update({
      where: { id: creator.accountId },
      data: { strictScopes: true },
    });
    const all = await change("createWebhook", { url: receiver.url }, "secret", creator.token);
    expect(all).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("email:read") });
    const some = { url: receiver.url, eventTypes: ["PAYMENT_SETTLED"] };
    expect(await change("createWebhook", some, "secret", creator.token)).toHaveProperty("secret");
    const { json } = await stack.graphql(
      creator.token,
      "{ viewer { events(filter: { types: [MAIL_RECEIVED] }) { edges { cursor } } } }",
    );
    expect(json.errors[0].extensions.code).toBe("forbidden");
  });
});
