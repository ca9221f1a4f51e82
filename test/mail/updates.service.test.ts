// @module-tag postgresql
/** Mail subscriptions: each new message once, each change, and no gap after a reconnect. */
import { createClient } from "graphql-ws";
import { beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createMailbox, storeMessage } from "./fixtures.ts";

const MARK = "mutation ($input: MarkMailReadInput!) { markMailRead(input: $input) { __typename } }";
const FIELDS = "cursor message { messageId isRead direction thread { unreadCount } }";

interface Event {
  readonly cursor: string;
  readonly message: { readonly messageId: string; readonly isRead: boolean; readonly direction: string };
}

let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
});

/** Subscribes until `stop`. Events so far are in `seen`. */
async function watch(
  field: "mailReceived" | "mailUpdated",
  after: string | null = null,
  token = account.token,
  filter = "",
) {
  const client = createClient({
    url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": token },
    retryAttempts: 0,
  });
  const seen: Event[] = [];
  const query = `subscription ($after: String) { ${field}(after: $after${filter}) { ${FIELDS} } }`;
  const events = client.iterate<Record<string, Event>>({ query, variables: { after } });
  const reading = (async () => {
    for await (const { data, errors } of events) {
      expect(errors).toBeUndefined();
      const event = data?.[field];
      if (event) seen.push(event);
    }
  })();
  return {
    seen,
    ids: () => seen.map(({ message }) => message.messageId),
    stop: async () => {
      await client.dispose();
      await reading.catch(() => {});
    },
  };
}

/** Waits until the subscription has started: stores messages until one is received. */
async function waitUntilSubscribed(
  watched: Awaited<ReturnType<typeof watch>>,
  write = () => storeMessage(stack, mailbox),
) {
  await expect
    .poll(
      async () => {
        await write();
        return watched.seen.length;
      },
      { interval: 200 },
    )
    .toBeGreaterThan(0);
}

const mark = (messageId: string, isRead = true) =>
  stack.graphql(account.token, MARK, { input: { messageIds: [messageId], isRead } });

it("publishes each received message once, and no sent ones, to mailReceived", async () => {
  const old = await storeMessage(stack, mailbox, { createdAt: new Date(Date.now() - 10_000) });
  const received = await watch("mailReceived");
  await waitUntilSubscribed(received);
  await mark(old.id);
  const sent = await storeMessage(stack, mailbox, { direction: "outbound" });
  const message = await storeMessage(stack, mailbox);
  await expect.poll(received.ids).toContain(message.id);
  await mark(message.id);
  await mark(message.id, false);
  const last = await storeMessage(stack, mailbox);
  await expect.poll(received.ids).toContain(last.id);
  await received.stop();
  expect(received.ids().filter((id) => id === message.id)).toHaveLength(1);
  expect(received.ids()).not.toContain(old.id);
  expect(received.ids()).not.toContain(sent.id);
});

it("publishes every change to mailUpdated, with current counts", async () => {
  const updated = await watch("mailUpdated");
  await waitUntilSubscribed(updated);
  const message = await storeMessage(stack, mailbox);
  await expect.poll(updated.ids).toContain(message.id);
  await mark(message.id);
  const changes = () =>
    updated.seen.filter((event) => event.message.messageId === message.id).map((event) => event.message);
  await expect.poll(changes).toMatchObject([
    { isRead: false, thread: { unreadCount: 1 } },
    { isRead: true, thread: { unreadCount: 0 } },
  ]);
  await updated.stop();
});

it("delivers missed messages in order after a reconnect with a cursor, then new ones", async () => {
  const before = await watch("mailReceived");
  await waitUntilSubscribed(before);
  await before.stop();
  const { cursor } = before.seen.at(-1) as Event;
  const missed = [await storeMessage(stack, mailbox), await storeMessage(stack, mailbox)].map(({ id }) => id);
  // A missed message is delivered even if it was read meanwhile.
  await mark(String(missed[0]));
  const after = await watch("mailReceived", cursor);
  await expect.poll(() => after.ids().filter((id) => missed.includes(id))).toEqual(missed);
  const next = await storeMessage(stack, mailbox);
  await expect.poll(after.ids).toContain(next.id);
  await after.stop();
  expect(new Set(after.ids()).size).toBe(after.seen.length);
});

it("does not publish to other accounts", async () => {
  const other = await stack.account();
  const otherMailbox = await createMailbox(stack, other);
  const watched = await watch("mailUpdated", null, other.token);
  await waitUntilSubscribed(watched, () => storeMessage(stack, otherMailbox));
  const secret = await storeMessage(stack, mailbox);
  const own = await storeMessage(stack, otherMailbox);
  await expect.poll(watched.ids).toContain(own.id);
  expect(watched.ids()).not.toContain(secret.id);
  await watched.stop();
});

it("publishes only changes in the thread and the direction of the filter", async () => {
  const thread = await storeMessage(stack, mailbox);
  const watched = await watch(
    "mailUpdated",
    null,
    account.token,
    `, threadId: "${thread.threadId}", directions: [INBOUND]`,
  );
  let isRead = false;
  await waitUntilSubscribed(watched, async () => {
    isRead = !isRead;
    await mark(thread.id, isRead);
    return thread;
  });
  await storeMessage(stack, mailbox);
  await mark(thread.id, !isRead);
  await expect.poll(() => watched.seen.at(-1)?.message.isRead).toBe(!isRead);
  expect(new Set(watched.ids())).toEqual(new Set([thread.id]));
  await watched.stop();
});

it("refuses a foreign and an unknown thread at once", async () => {
  const foreign = await storeMessage(stack, await createMailbox(stack, await stack.account()));
  for (const threadId of [foreign.threadId, "mth_1_none"]) {
    const query = `subscription { mailUpdated(threadId: "${threadId}") { cursor } }`;
    const { text } = await stack.graphql(account.token, query, {}, { accept: "text/event-stream" });
    expect(text).toContain('"code":"not_found"');
  }
});

it.each(["messages", "threads"])("resumes from the updatesCursor of %s, before the first event", async (list) => {
  const query = `{ viewer { mailbox { ${list} { updatesCursor } } } }`;
  const { json } = await stack.graphql(account.token, query);
  const message = await storeMessage(stack, mailbox);
  const watched = await watch("mailUpdated", json.data.viewer.mailbox[list].updatesCursor);
  await expect.poll(watched.ids).toContain(message.id);
  await watched.stop();
});
