// @module-tag postgresql
/** Events of each recipient of a sent message: the subscription, and account events as webhooks and polling deliver them. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import WebSocket from "ws";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { createEvent, createSecret, postEvents } from "./provider-webhook.ts";
import { openRelay, type TestRelay } from "./relay.ts";

const SECRET = createSecret();
const JANE = "jane@merchant.example";
const BOB = "bob@merchant.example";
const ADA = "ada@merchant.example";
let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;

beforeAll(async () => {
  relay = await openRelay();
  const env = { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", MAIL_EVENTS_SECRET: SECRET };
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

let count = 0;
async function send(more: object = {}, owner = account) {
  count += 1;
  const email = { to: JANE, subject: `Order ${count}`, body: "Where is it?", ...more };
  const { json } = await stack.rest(owner.token, "POST", "/api/agent/email/send", email);
  return json as { id: string; messageId: string };
}
async function report(type: string, messageId: string, recipient: string, fields: object = {}) {
  const { json } = await postEvents(stack, createEvent(type, { messageId, recipient, ...fields }), { secret: SECRET });
  expect(json.events[0].outcome).toBe("applied");
}

interface RecipientUpdate {
  readonly cursor: string;
  readonly recipient: {
    readonly deliveryId: string;
    readonly address: string;
    readonly kind: string;
    readonly status: string;
  };
  readonly message: { readonly messageId: string };
}

/** Subscribes until `stop`. Events so far are in `seen`. */
async function watch(variables: { after?: string; messageId?: string } = {}, token = account.token) {
  const client = createClient({
    url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": token },
    retryAttempts: 0,
  });
  const seen: RecipientUpdate[] = [];
  const query = `subscription ($after: String, $messageId: ID) { mailRecipientUpdated(after: $after, messageId: $messageId) {
    cursor recipient { deliveryId address kind status failureReason } message { messageId } } }`;
  const events = client.iterate<{ mailRecipientUpdated: RecipientUpdate }>({ query, variables });
  const reading = (async () => {
    for await (const { data, errors } of events) {
      expect(errors).toBeUndefined();
      if (data) seen.push(data.mailRecipientUpdated);
    }
  })();
  return {
    seen,
    of: (id: string) =>
      seen
        .filter(({ message }) => message.messageId === id)
        .map(({ recipient }) => `${recipient.kind} ${recipient.address} ${recipient.status}`),
    stop: async () => {
      await client.dispose();
      await reading.catch(() => {});
    },
  };
}

/** Waits until the subscription has started: sends messages until one is published. */
const waitUntilSubscribed = (watched: Awaited<ReturnType<typeof watch>>, owner = account) =>
  expect
    .poll(
      async () => {
        await send({}, owner);
        return watched.seen.length;
      },
      { interval: 200, timeout: 10_000 },
    )
    .toBeGreaterThan(0);

it("publishes each new state of each recipient to mailRecipientUpdated, and a repetition not at all", async () => {
  const watched = await watch();
  await waitUntilSubscribed(watched);
  relay.refuse((recipient) => (recipient === BOB ? [550, "5.1.1 no such user"] : null));
  const { id, messageId } = await send({ cc: [BOB] });
  await expect.poll(() => watched.of(id).toSorted()).toEqual([`CC ${BOB} FAILED`, `TO ${JANE} SENT`]);
  for (const type of ["deferred", "delivered", "complained"]) {
    await report(type, messageId, JANE);
    await expect.poll(() => watched.of(id).at(-1)).toBe(`TO ${JANE} ${type.toUpperCase()}`);
  }
  const repeated = createEvent("complained", { messageId, recipient: JANE });
  expect((await postEvents(stack, repeated, { secret: SECRET })).json.events[0].outcome).toBe("unchanged");
  // The first recipient is suppressed after the complaint.
  const last = await send({ to: ADA });
  await expect.poll(() => watched.of(last.id)).toEqual([`TO ${ADA} SENT`]);
  expect(watched.of(id)).toHaveLength(5);
  await watched.stop();
});

it("replays missed states after a reconnect with a cursor, for one message if requested", async () => {
  const before = await watch();
  await waitUntilSubscribed(before);
  await before.stop();
  const after = before.seen.at(-1)?.cursor ?? "";
  const [one, other] = [await send({ cc: [BOB] }), await send()];
  await report("bounced", one.messageId, BOB, { status: "5.1.1" });
  await report("delivered", other.messageId, JANE);
  const watched = await watch({ after });
  await expect.poll(() => watched.of(other.id)).toEqual([`TO ${JANE} DELIVERED`]);
  expect(watched.of(one.id)).toEqual([`TO ${JANE} SENT`, `CC ${BOB} BOUNCED`]);
  await watched.stop();
  const filtered = await watch({ after, messageId: one.id });
  await expect.poll(() => filtered.of(one.id)).toHaveLength(2);
  await report("delivered", one.messageId, JANE);
  await expect.poll(() => filtered.of(one.id)).toHaveLength(3);
  expect(filtered.seen).toHaveLength(3);
  await filtered.stop();
});

it("publishes nothing of other accounts, and refuses their messages", async () => {
  const other = await stack.account();
  await createMailbox(stack, other);
  const { id, messageId } = await send();
  const query = `subscription { mailRecipientUpdated(messageId: "${id}") { cursor } }`;
  const { text } = await stack.graphql(other.token, query, {}, { accept: "text/event-stream" });
  expect(text).toContain('"code":"not_found"');
  const watched = await watch({}, other.token);
  await waitUntilSubscribed(watched, other);
  await report("bounced", messageId, JANE, { status: "5.1.1" });
  const own = await send({ to: BOB }, other);
  await expect.poll(() => watched.of(own.id)).toEqual([`TO ${BOB} SENT`]);
  expect(watched.of(id)).toEqual([]);
  await watched.stop();
});

const TYPES = ["deferred", "delivered", "failed", "bounced", "complained"].map((state) => `mail.recipient_${state}`);

async function listEvents(owner = account) {
  const query = `query ($types: [AccountEventType!]) { viewer { events(first: 50, filter: { types: $types }) { edges { node {
    type createdAt payload data { ... on MailEventData { messageId isDeleted
      recipient { deliveryId address status failureReason attempts } } } } } } } }`;
  const types = TYPES.map((type) => type.toUpperCase().replace(".", "_"));
  const { json } = await stack.graphql(owner.token, query, { types });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the query.
  return json.data.viewer.events.edges.map(({ node }: any) => node).toReversed();
}

it("records one account event for each recipient and state, which names the delivery", async () => {
  await listEvents();
  relay.refuse((recipient) => (recipient === BOB ? [450, "4.2.0 try later"] : null));
  const { id, messageId } = await send({ cc: [BOB] });
  relay.refuse(null);
  await report("delivered", messageId, JANE, { occurredAt: new Date(Date.now() + 60_000).toISOString() });
  await report("complained", messageId, JANE, { diagnostic: "abuse" });
  await report("bounced", messageId, BOB, { status: "5.1.1", diagnostic: "550 5.1.1 no such user" });
  await expect.poll(async () => (await listEvents()).length, { timeout: 15_000 }).toBe(4);
  const events = await listEvents();
  const deliveries = await stack.service.deps.db.prisma.mailDelivery.findMany({ where: { messageId: id } });
  const find = (type: string) => events.find((event: { type: string }) => event.type === `MAIL_RECIPIENT_${type}`);
  const idOf = (address: string) => deliveries.find((one) => one.address === address)?.id;
  const bounced = {
    ...{ deliveryId: idOf(BOB), address: BOB, status: "BOUNCED", failureReason: "550 5.1.1 no such user", attempts: 1 },
  };
  expect(find("BOUNCED").data).toEqual({ messageId: id, isDeleted: false, recipient: bounced });
  expect(find("DEFERRED").data.recipient).toMatchObject({ address: BOB, status: "DEFERRED" });
  expect(find("DELIVERED").data.recipient).toMatchObject({ address: JANE, status: "DELIVERED", failureReason: null });
  expect(find("COMPLAINED").data.recipient).toMatchObject({ address: JANE, failureReason: "abuse" });
  expect(find("COMPLAINED").payload).toMatchObject({ id, to: [JANE], cc: [BOB], recipient: { status: "complained" } });
  // The clock of the provider is ahead.
  expect(new Date(find("DELIVERED").createdAt).getTime()).toBeLessThanOrEqual(Date.now());
});

it("removes address and reason from the events of a deleted message", async () => {
  await listEvents();
  const { id, messageId } = await send({ cc: [BOB] });
  await report("bounced", messageId, BOB, { status: "5.1.1", diagnostic: `550 5.1.1 ${BOB}` });
  await expect.poll(async () => (await listEvents()).length, { timeout: 15_000 }).toBe(1);
  const remove = "mutation ($ids: [ID!]!) { deleteMail(input: { messageIds: $ids }) { __typename } }";
  const { json } = await stack.graphql(account.token, remove, { ids: [id] });
  expect(json.data.deleteMail.__typename).toBe("DeleteMailSuccess");
  const [event] = await listEvents();
  expect(event.data).toMatchObject({ isDeleted: true, recipient: { address: "", failureReason: null } });
  expect(JSON.stringify(event.payload)).not.toContain(BOB);
});
