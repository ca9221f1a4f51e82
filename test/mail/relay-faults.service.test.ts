// @module-tag postgresql
/** An unavailable, refusing or slow mail server: no email is lost, and none is sent twice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mailbox, Prisma } from "../../generated/prisma/client.ts";
import { sendDueMail } from "../../src/mail/outgoing/send-due.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { openRelay, type TestRelay } from "./relay.ts";

let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;
let emailCount = 0;

beforeAll(async () => {
  relay = await openRelay();
  stack = await startStack({
    env: { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", AGENT_MAILS_PER_DAY: "6" },
  });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});
beforeEach(async () => {
  relay.accepted.length = 0;
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
});
afterEach(async () => {
  relay.releaseReplies();
  relay.refuse(null);
  // Emails that one test leaves queued must not be retried during another.
  const failed = { status: "failed", nextAttemptAt: null };
  await stack.service.deps.db.prisma.mailMessage.updateMany({ where: { status: "queued" }, data: failed });
});

/** Returns an email that differs from those of other tests. */
const newEmail = () => {
  emailCount += 1;
  return { to: "jane@merchant.example", subject: `Email ${emailCount}`, body: "Where is it?" };
};
const send = (email: object, headers: Record<string, string> = {}) =>
  stack.rest(account.token, "POST", "/api/agent/email/send", email, headers);
const row = (id: string) => stack.service.deps.db.prisma.mailMessage.findUniqueOrThrow({ where: { id } });
const rows = () => stack.service.deps.db.prisma.mailMessage.findMany({ where: { mailboxId: mailbox.id } });
const makeDue = (id: string) =>
  stack.service.deps.db.prisma.mailMessage.update({ where: { id }, data: { nextAttemptAt: new Date(0) } });
const count = (messageId: string) => relay.accepted.filter(({ mail }) => mail.messageId === messageId).length;

describe("an unavailable mail server", () => {
  beforeEach(() => relay.stop());
  afterEach(async () => {
    await relay.stop();
    await relay.start();
  });

  it("gives 502 and a queued email, which is sent once when the server is available", async () => {
    const email = newEmail();
    const { status, json, headers } = await send(email);
    expect([status, json.error, json.queued]).toEqual([502, "mail_failed", true]);
    expect(headers.get("x-should-retry")).toBe("false");
    expect(json.message).toContain("do not send the email again");
    const repeated = await Promise.all([send(email), send(email)]);
    for (const each of repeated)
      expect([each.status, each.json.id, each.json.messageId]).toEqual([502, json.id, json.messageId]);
    expect(await row(json.id)).toMatchObject({ status: "queued", failureReason: expect.any(String) });

    await relay.start();
    await expect.poll(() => count(json.messageId), { timeout: 25_000 }).toBe(1);
    await expect.poll(async () => (await row(json.id)).status).toBe("sent");
    expect(await row(json.id)).toMatchObject({ failureReason: null, nextAttemptAt: null, sentAt: expect.any(Date) });
    expect(await rows()).toHaveLength(1);
    // An equal email after delivery is a new one.
    const next = await send(email);
    expect([next.status, next.json.id === json.id]).toEqual([200, false]);
  });

  it("is tried immediately on a repeated request, and the result is replayed for the idempotency key", async () => {
    const email = newEmail();
    const key = { "idempotency-key": `email-${emailCount}` };
    const first = await send(email, key);
    expect([first.status, first.json.queued]).toEqual([502, true]);
    await relay.start();
    const joined = await send(email);
    expect([joined.status, joined.json.id]).toEqual([200, first.json.id]);
    // The key still refers to the first email, which is now sent.
    const replayed = await send(email, key);
    expect([replayed.status, replayed.json]).toEqual([200, joined.json]);
    expect((await send({ ...email, body: "Another." }, key)).status).toBe(422);
    expect(count(first.json.messageId)).toBe(1);
    expect(relay.accepted).toHaveLength(1);
  });

  it("is not tried once for each queued email", async () => {
    const queued = await Promise.all([1, 2, 3, 4, 5, 6].map(() => send(newEmail())));
    const ids = queued.map(({ json }) => json.id as string);
    await Promise.all(ids.map(makeDue));
    const before = (await rows()).reduce((sum, { sendAttempts }) => sum + sendAttempts, 0);
    await sendDueMail(stack.service.deps);
    const after = (await rows()).reduce((sum, { sendAttempts }) => sum + sendAttempts, 0);
    // Five concurrent attempts, by this call and by the recurring job.
    expect(after - before).toBeLessThanOrEqual(10);
    const { status, headers, json } = await send(newEmail());
    expect([status, json.error]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(80_000);
  });
});

describe("a refusing mail server", () => {
  it("with a permanent refusal, makes the email fail without repeating the server's text", async () => {
    relay.refuse(() => [550, "5.1.1 no such user; token=hunter2"]);
    const { status, json } = await send(newEmail());
    expect([status, json.error, json.queued]).toEqual([502, "mail_failed", false]);
    expect(json.message).toContain("550 5.1.1: the mailbox does not exist");
    expect(json.message).not.toContain("hunter2");
    expect(await row(json.id)).toMatchObject({ status: "failed", nextAttemptAt: null });
  });

  it("with a temporary refusal, gets retries with the same Message-ID for three days", async () => {
    relay.refuse(() => [451, "4.7.1 greylisted"]);
    const { status, json } = await send(newEmail());
    expect([status, json.queued]).toEqual([502, true]);
    expect((await row(json.id)).failureReason).toContain("451 4.7.1");
    const old = await send(newEmail());
    const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000 - 1_000);
    await stack.service.deps.db.prisma.mailMessage.update({
      where: { id: old.json.id },
      data: { createdAt: threeDaysAgo },
    });
    await makeDue(old.json.id);
    await expect.poll(async () => (await row(old.json.id)).status).toBe("failed");
    expect((await row(old.json.id)).failureReason).toContain("three days");
    relay.refuse(null);
    await makeDue(json.id);
    await expect.poll(() => count(json.messageId)).toBe(1);
  });

  it("with one of several recipients refused, delivers to the others and records the refused one", async () => {
    relay.refuse((recipient) => (recipient.startsWith("bob@") ? [550, "5.1.1 gone"] : null));
    const { status, json } = await send({ ...newEmail(), cc: ["bob@merchant.example"] });
    expect(status).toBe(200);
    expect(relay.accepted[0]?.recipients).toEqual(["jane@merchant.example"]);
    expect(await row(json.id)).toMatchObject({
      status: "sent",
      failureReason: expect.stringContaining("bob@merchant.example"),
    });
  });
});

describe("equal concurrent emails", () => {
  it("with different keys are sent as one", async () => {
    const email = newEmail();
    relay.holdReplies();
    const before = relay.readCount();
    // Each key is stored when its request has found the email. Waits for all, because after delivery an equal email is a new one.
    const keys = Array.from({ length: 8 }, (_, index) => `at-once-${emailCount}-${index}`);
    const pending = keys.map((key) => send(email, { "idempotency-key": key }));
    const { idempotencyRecord } = stack.service.deps.db.prisma;
    const found = { key: { in: keys }, answer: { not: Prisma.DbNull } };
    await expect.poll(() => idempotencyRecord.count({ where: found })).toBe(keys.length);
    await expect.poll(() => relay.readCount()).toBe(before + 1);
    expect(await rows()).toHaveLength(1);
    // The job skips an email with an attempt in flight.
    await sendDueMail(stack.service.deps);
    expect(relay.readCount()).toBe(before + 1);
    relay.releaseReplies();
    const responses = await Promise.all(pending);
    expect(new Set(responses.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(relay.accepted).toHaveLength(1);
  });

  it("with one key are sent as one", async () => {
    const email = newEmail();
    const key = { "idempotency-key": `race-${emailCount}` };
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(email, key)));
    for (const { status } of responses) expect([200, 409]).toContain(status);
    expect(relay.accepted).toHaveLength(1);
  });
});

it("responds with 503 and stores nothing when no mail server is configured", async () => {
  const bare = await startStack({ env: { AGENT_MAIL_DOMAIN: "agents.example" } });
  try {
    const owner = await bare.account();
    await createMailbox(bare, owner);
    const { status, json } = await bare.rest(owner.token, "POST", "/api/agent/email/send", newEmail());
    expect([status, json.error]).toEqual([503, "mail_not_configured"]);
    expect(await bare.service.deps.db.prisma.mailMessage.count()).toBe(0);
  } finally {
    await bare.stop();
  }
});
