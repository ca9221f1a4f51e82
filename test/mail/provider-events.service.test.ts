// @module-tag postgresql
/** Signed delivery events of a mail provider, with signatures by the Standard Webhooks library. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import * as provider from "./provider-webhook.ts";
import { openRelay, type TestRelay } from "./relay.ts";

const SECRET = provider.createSecret();
/** The secret before its replacement, which stays valid meanwhile. */
const OLD_SECRET = provider.createSecret();
const JANE = "jane@merchant.example";
const BOB = "bob@merchant.example";
let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;
let count = 0;

beforeAll(async () => {
  relay = await openRelay();
  const env = {
    SMTP_URL: relay.url,
    AGENT_MAIL_DOMAIN: "agents.example",
    MAIL_EVENTS_SECRET: `${SECRET}, ${OLD_SECRET}`,
  };
  stack = await startStack({ networks: [], env });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});
beforeEach(async () => {
  relay.accepted.length = 0;
  relay.refuse(null);
  account = await stack.account();
  await createMailbox(stack, account);
});

interface Sent {
  readonly id: string;
  readonly messageId: string;
}

async function send(more: object = {}, owner = account): Promise<Sent> {
  count += 1;
  const email = { to: JANE, subject: `Order ${count}`, body: "Where is it?", ...more };
  return (await stack.rest(owner.token, "POST", "/api/agent/email/send", email)).json as Sent;
}
const getMessage = async (id: string, owner = account) =>
  (await stack.rest(owner.token, "GET", `/api/agent/email/messages/${id}`)).json;
async function statesOf(id: string, owner = account): Promise<Record<string, string>> {
  const { deliveries } = await getMessage(id, owner);
  return Object.fromEntries(deliveries.map((one: { address: string; status: string }) => [one.address, one.status]));
}
const returnPathOf = (recipient: string) =>
  relay.accepted.findLast(({ recipients }) => recipients.includes(recipient))?.from ?? "";
const listSuppressions = async (owner = account) =>
  (
    await stack.service.deps.db.prisma.mailSuppression.findMany({
      where: { accountId: owner.accountId },
      orderBy: { address: "asc" },
    })
  ).map(({ address, reason }) => [address, reason]);

/** Returns timestamps in milliseconds after the message was created. Earlier ones than that are limited to it. */
async function createClock(messageId: string) {
  const { mailDelivery } = stack.service.deps.db.prisma;
  const { createdAt } = await mailDelivery.findFirstOrThrow({ where: { messageId }, orderBy: { createdAt: "desc" } });
  return (ms: number) => new Date(createdAt.getTime() + ms).toISOString();
}

const createEvent = (type: string, fields: object = {}) => provider.createEvent(type, { recipient: JANE, ...fields });
const post = (events: unknown, options: Partial<provider.Post> = {}) =>
  provider.postEvents(stack, events, { secret: SECRET, ...options });

/** Posts one event and returns its outcome. */
async function apply(type: string, fields: object) {
  const { status, json } = await post(createEvent(type, fields));
  expect(status).toBe(200);
  return json.events[0].outcome;
}

describe("an event with the Message-ID and the recipient", () => {
  it.each([
    ["delivered", "delivered", {}],
    ["deferred", "deferred", { status: "4.2.2", diagnostic: "452 4.2.2 mailbox full" }],
    ["bounced", "bounced", { status: "5.1.1", diagnostic: "550 5.1.1 no such user" }],
    ["complained", "complained", {}],
    ["relayed", "accepted", { status: "2.0.0" }],
  ])("%s makes the delivery %s", async (type, state, fields) => {
    const { id, messageId } = await send();
    expect(await apply(type, { messageId, ...fields })).toBe(type === "relayed" ? "unchanged" : "applied");
    expect(await statesOf(id)).toEqual({ [JANE]: state });
    const [delivery] = (await getMessage(id)).deliveries;
    expect(delivery.failureReason).toEqual(
      { deferred: "452 4.2.2 mailbox full", bounced: "550 5.1.1 no such user" }[type] ??
        (type === "complained" ? "The recipient reported the email." : null),
    );
    const reason = { bounced: "bounce", complained: "complaint" }[type];
    expect(await listSuppressions()).toEqual(reason ? [[JANE, reason]] : []);
    expect((await getMessage(id)).status).toBe(type === "bounced" ? "bounced" : "sent");
  });

  it("concerns that recipient only, in any case and without angle brackets", async () => {
    const { id, messageId } = await send({ cc: [BOB] });
    const fields = { messageId: messageId.replace(/[<>]/g, ""), recipient: BOB.toUpperCase(), status: "5.2.2" };
    expect(await apply("bounced", fields)).toBe("applied");
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted", [BOB]: "bounced" });
    expect((await getMessage(id)).status).toBe("sent");
    // A full mailbox may accept email later.
    expect(await listSuppressions()).toEqual([]);
  });

  it("leaves other messages and other accounts unchanged", async () => {
    const other = await stack.account();
    await createMailbox(stack, other);
    const [own, second, foreign] = [await send(), await send(), await send({}, other)];
    expect(await apply("bounced", { messageId: own.messageId, status: "5.1.1" })).toBe("applied");
    expect(await statesOf(second.id)).toEqual({ [JANE]: "accepted" });
    expect(await statesOf(foreign.id, other)).toEqual({ [JANE]: "accepted" });
    expect(await listSuppressions(other)).toEqual([]);
    expect((await send({}, other)).id).toMatch(/^aem_/);
  });

  it("proves the acceptance by the mail server, so that the message is not sent again", async () => {
    relay.refuse(() => [450, "4.2.0 try later"]);
    const { id } = await send();
    const { messageIdHeader } = await stack.service.deps.db.prisma.mailMessage.findUniqueOrThrow({ where: { id } });
    expect(await statesOf(id)).toEqual({ [JANE]: "deferred" });
    expect(await apply("delivered", { messageId: messageIdHeader })).toBe("applied");
    expect(await getMessage(id)).toMatchObject({ status: "sent", failureReason: null });
    const where = { id, nextAttemptAt: null };
    expect(await stack.service.deps.db.prisma.mailMessage.count({ where })).toBe(1);
  });
});

describe("an event with the return path", () => {
  it("identifies the delivery by it alone, as a report does", async () => {
    const { id } = await send({ cc: [BOB] });
    const fields = { returnPath: returnPathOf(BOB).toUpperCase(), recipient: "bob@forwarded.example" };
    expect(await apply("delivered", fields)).toBe("applied");
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted", [BOB]: "delivered" });
  });

  it("is unknown if the HMAC is wrong, and falls back to the Message-ID if the provider has replaced it", async () => {
    const { id, messageId } = await send();
    const returnPath = returnPathOf(JANE).replace(/.(?=@)/, (last) => (last === "0" ? "1" : "0"));
    expect(await apply("bounced", { returnPath })).toBe("unknown");
    expect(await apply("bounced", { returnPath: "bounces+1@provider.example" })).toBe("unknown");
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted" });
    expect(await apply("delivered", { returnPath: "bounces+1@provider.example", messageId })).toBe("applied");
  });
});

it("moves a delivery forward only, and never back", async () => {
  const { id, messageId } = await send();
  const at = await createClock(id);
  const outcomes: string[] = [];
  for (const [type, occurredAt] of [
    ["deferred", at(2)],
    ["deferred", at(1)],
    ["deferred", at(3)],
    ["delivered", at(4)],
    ["deferred", at(5)],
    ["complained", at(6)],
    ["delivered", at(7)],
    ["bounced", at(8)],
  ] as const) {
    outcomes.push(await apply(type, { messageId, occurredAt, diagnostic: occurredAt }));
  }
  const [first, late, newer, ...rest] = ["applied", "unchanged", "applied", "applied", "unchanged", "applied"];
  expect(outcomes).toEqual([first, late, newer, ...rest, "unchanged", "unchanged"]);
  expect(await statesOf(id)).toEqual({ [JANE]: "complained" });
});

it("applies a list in the order in which the events occurred, and responds in the order of the list", async () => {
  const { id, messageId } = await send({ cc: [BOB] });
  const at = await createClock(id);
  const [earlier, later] = [at(1), at(2)];
  const events = [
    createEvent("delivered", { messageId, occurredAt: later }),
    createEvent("deferred", { messageId, occurredAt: earlier }),
    createEvent("bounced", { messageId, recipient: BOB, status: "5.1.1" }),
    createEvent("bounced", { messageId, recipient: "nobody@merchant.example" }),
    createEvent("bounced", { messageId: "<none@agents.example>" }),
  ];
  const { status, json } = await post(events);
  expect([status, json]).toEqual([
    200,
    {
      events: ["applied", "applied", "applied", "unknown", "unknown"].map((outcome, index) => ({
        id: events[index]?.id,
        outcome,
      })),
    },
  ]);
  expect(await statesOf(id)).toEqual({ [JANE]: "delivered", [BOB]: "bounced" });
  const deliveries = await stack.service.deps.db.prisma.mailDelivery.findMany({ where: { messageId: id } });
  expect(deliveries.map((one) => one.deferredAt?.toISOString() ?? null)).toContain(earlier);
  const metrics = await (await fetch(`${stack.baseUrl}/metrics`)).text();
  expect(metrics).toMatch(/^satchel_mail_provider_events_total\{[^}]*type="bounced",outcome="unknown"[^}]*\} \d+$/m);
});

describe("a repeated event", () => {
  it("changes nothing, also after a suppression was removed", async () => {
    const { id, messageId } = await send();
    const event = createEvent("bounced", { messageId, status: "5.1.1", diagnostic: "550 5.1.1 no such user" });
    expect((await post(event)).json.events).toEqual([{ id: event.id, outcome: "applied" }]);
    const before = await stack.service.deps.db.prisma.mailDelivery.findFirstOrThrow({ where: { messageId: id } });
    await stack.service.deps.db.prisma.mailSuppression.deleteMany({ where: { accountId: account.accountId } });
    expect((await post([event, event])).json.events.map((one: { outcome: string }) => one.outcome)).toEqual([
      ...["unchanged", "unchanged"],
    ]);
    expect(await listSuppressions()).toEqual([]);
    expect(await stack.service.deps.db.prisma.mailDelivery.findFirst({ where: { messageId: id } })).toEqual(before);
  });

  it.each(["deferred", "bounced", "complained"])("%s is applied once if repeated concurrently", async (type) => {
    const { messageId } = await send({ cc: [BOB] });
    const events = [createEvent(type, { messageId, status: "5.1.1" })];
    const responses = await Promise.all(Array.from({ length: 10 }, () => post(events)));
    const outcomes = responses.map(({ json }) => json.events[0].outcome);
    expect(outcomes.toSorted()).toEqual(["applied", ...Array.from({ length: 9 }, () => "unchanged")]);
  });

  it("of different types for both recipients ends in the last states, in any order", async () => {
    const { id, messageId } = await send({ cc: [BOB] });
    const events = ["delivered", "deferred", "complained", "delivered"].flatMap((type) => [
      createEvent(type, { messageId }),
      createEvent(type === "complained" ? "bounced" : type, { messageId, recipient: BOB, status: "5.1.1" }),
    ]);
    await Promise.all(events.map((event) => post(event)));
    expect(await statesOf(id)).toEqual({ [JANE]: "complained", [BOB]: "bounced" });
    expect(await listSuppressions()).toEqual([
      [BOB, "bounce"],
      [JANE, "complaint"],
    ]);
  });
});

describe("the signature", () => {
  it("accepts each of the configured secrets, while one is replaced", async () => {
    const { id, messageId } = await send();
    expect((await post(createEvent("delivered", { messageId }), { secret: OLD_SECRET })).status).toBe(200);
    expect(await statesOf(id)).toEqual({ [JANE]: "delivered" });
  });

  it.each<readonly [string, Partial<provider.Post>]>([
    ["another secret", { secret: provider.createSecret() }],
    ["a changed body", { sent: "[]" }],
    ["no body", { sent: "" }],
    ["an old timestamp", { at: new Date(Date.now() - 3_600_000) }],
    ["a future timestamp", { at: new Date(Date.now() + 3_600_000) }],
    ["no signature", { headers: { "webhook-signature": "" } }],
    ["another version", { headers: { "webhook-signature": "v2,AAAA" } }],
    ["another id", { headers: { "webhook-id": "msg_other" } }],
  ])("rejects %s and changes nothing", async (_name, options) => {
    const { id, messageId } = await send();
    const { status, json } = await post(createEvent("bounced", { messageId, status: "5.1.1" }), options);
    expect([status, json.error]).toEqual([401, "unauthorized"]);
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted" });
  });
});

describe("a malformed body", () => {
  const valid = createEvent("delivered", { messageId: "<a@agents.example>" });
  it.each<readonly [string, unknown, string | undefined]>([
    ["text", "no JSON", undefined],
    ["a number", 7, undefined],
    ["an empty list", [], undefined],
    ["501 events", Array.from({ length: 501 }, () => valid), undefined],
    ["a list with null", [valid, null], "[1]"],
    ["an unknown type", { ...valid, type: "opened" }, "type"],
    ["no id", { ...valid, id: undefined }, "id"],
    ["a recipient without a domain", [valid, { ...valid, recipient: "jane" }], "[1].recipient"],
    ["a recipient with NUL", { ...valid, recipient: "ja\u0000ne@merchant.example" }, "recipient"],
    ["a Message-ID with a line break", { ...valid, messageId: "<a\r\nb@agents.example>" }, "messageId"],
    ["neither Message-ID nor return path", { ...valid, messageId: null }, "messageId"],
    ["an invalid status", { ...valid, status: "550" }, "status"],
    ["an invalid diagnostic", { ...valid, diagnostic: {} }, "diagnostic"],
    ["an invalid time", { ...valid, occurredAt: "yesterday" }, "occurredAt"],
  ])("%s is 400 and names the field", async (_name, body, field) => {
    const { status, json } = await post(body);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
    expect(json.message).toContain(field ?? "No event was applied.");
  });

  it("with one invalid event applies none of the valid ones", async () => {
    const { id, messageId } = await send();
    const bounced = createEvent("bounced", { messageId, status: "5.1.1" });
    const { status, json } = await post([bounced, { ...bounced, occurredAt: null }]);
    expect([status, json.field]).toEqual([400, "[1].occurredAt"]);
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted" });
  });

  it("larger than the limit is 413", async () => {
    expect((await post({ ...valid, diagnostic: "x".repeat(1_100_000) })).status).toBe(413);
  });
});

it("responds to any signed body with 200 or 400, and changes nothing without a match", async () => {
  const { id } = await send();
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constant(JANE), fc.constant("<a@b>"));
  const field = fc.oneof(text, fc.constant(null), fc.integer(), fc.constant(undefined));
  const event = fc.record({
    id: fc.oneof(fc.constant("ev"), field),
    type: fc.oneof(fc.constantFrom("delivered", "deferred", "bounced", "complained", "relayed"), field),
    recipient: fc.oneof(fc.constant(JANE), fc.emailAddress(), field),
    returnPath: fc.oneof(fc.emailAddress(), field),
    messageId: fc.oneof(fc.constant("<none@agents.example>"), field),
    status: fc.oneof(fc.constantFrom("5.1.1", "4.0.0"), field),
    diagnostic: field,
    occurredAt: fc.oneof(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
      field,
    ),
  });
  const body = fc.oneof(event, fc.array(event, { maxLength: 3 }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(body, async (events) => {
      const { status, json } = await post(JSON.stringify(events) ?? "");
      if (status === 200) {
        expect(json.events.every(({ outcome }: { outcome: string }) => outcome === "unknown")).toBe(true);
      } else expect([status, json.error]).toEqual([400, "invalid_request"]);
    }),
    { numRuns: 200 },
  );
  expect(await statesOf(id)).toEqual({ [JANE]: "accepted" });
  expect(await listSuppressions()).toEqual([]);
});

it("responds with 404 when no secret is configured", async () => {
  const unconfigured = await startStack({});
  const response = await unconfigured.rest(null, "POST", "/api/mail/events", {});
  await unconfigured.stop();
  expect(response.status).toBe(404);
});
