// @module-tag postgresql
/** A mail server that is away, refuses or is slow: no letter is lost, and none is sent twice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mailbox, Prisma } from "../../generated/prisma/client.ts";
import { sendDueMail } from "../../src/mail/outgoing/send-due.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { openMailbox } from "./correspondence.ts";
import { openRelay, type TestRelay } from "./relay.ts";

let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;
let letters = 0;

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
  relay.taken.length = 0;
  account = await stack.account();
  mailbox = await openMailbox(stack, account);
});
afterEach(async () => {
  relay.release();
  relay.refuse(null);
  // What one test leaves waiting is not tried in another's time.
  const givenUp = { status: "failed", nextAttemptAt: null };
  await stack.service.deps.db.prisma.mailMessage.updateMany({ where: { status: "queued" }, data: givenUp });
});

/** A letter that no other test writes. */
const newLetter = () => {
  letters += 1;
  return { to: "jane@shop.example", subject: `Letter ${letters}`, body: "Where is it?" };
};
const send = (letter: object, headers: Record<string, string> = {}) =>
  stack.rest(account.token, "POST", "/api/agent/email/send", letter, headers);
const row = (id: string) => stack.service.deps.db.prisma.mailMessage.findUniqueOrThrow({ where: { id } });
const rows = () => stack.service.deps.db.prisma.mailMessage.findMany({ where: { mailboxId: mailbox.id } });
/** Its time has come. */
const makeDue = (id: string) =>
  stack.service.deps.db.prisma.mailMessage.update({ where: { id }, data: { nextAttemptAt: new Date(0) } });
const count = (messageId: string) => relay.taken.filter(({ mail }) => mail.messageId === messageId).length;

describe("while the mail server is away", () => {
  beforeEach(() => relay.stop());
  afterEach(async () => {
    await relay.stop();
    await relay.start();
  });

  it("a letter answers 502, waits, and goes out once when the server is back", async () => {
    const letter = newLetter();
    const { status, json, headers } = await send(letter);
    expect([status, json.error, json.queued]).toEqual([502, "mail_failed", true]);
    expect(headers.get("x-should-retry")).toBe("false");
    expect(json.message).toContain("do not send the email again");
    const again = await Promise.all([send(letter), send(letter)]);
    for (const each of again)
      expect([each.status, each.json.id, each.json.messageId]).toEqual([502, json.id, json.messageId]);
    expect(await row(json.id)).toMatchObject({ status: "queued", failureReason: expect.any(String) });

    await relay.start();
    await expect.poll(() => count(json.messageId), { timeout: 25_000 }).toBe(1);
    await expect.poll(async () => (await row(json.id)).status).toBe("sent");
    expect(await row(json.id)).toMatchObject({ failureReason: null, nextAttemptAt: null, sentAt: expect.any(Date) });
    expect(await rows()).toHaveLength(1);
    // What was sent is no longer joined: somebody may well write the same again.
    const next = await send(letter);
    expect([next.status, next.json.id === json.id]).toEqual([200, false]);
  });

  it("asking again tries at once, and an answer once given is given again", async () => {
    const letter = newLetter();
    const key = { "idempotency-key": `letter-${letters}` };
    const first = await send(letter, key);
    expect([first.status, first.json.queued]).toEqual([502, true]);
    await relay.start();
    const joined = await send(letter);
    expect([joined.status, joined.json.id]).toEqual([200, first.json.id]);
    // Long after: the key still means that letter, which is sent by now.
    const replayed = await send(letter, key);
    expect([replayed.status, replayed.json]).toEqual([200, joined.json]);
    expect((await send({ ...letter, body: "Another." }, key)).status).toBe(422);
    expect(count(first.json.messageId)).toBe(1);
    expect(relay.taken).toHaveLength(1);
  });

  it("is asked by one letter, not by all that wait", async () => {
    const kept = await Promise.all([1, 2, 3, 4, 5, 6].map(() => send(newLetter())));
    const ids = kept.map(({ json }) => json.id as string);
    await Promise.all(ids.map(makeDue));
    const before = (await rows()).reduce((sum, { sendAttempts }) => sum + sendAttempts, 0);
    await sendDueMail(stack.service.deps);
    const after = (await rows()).reduce((sum, { sendAttempts }) => sum + sendAttempts, 0);
    // As many as are tried at once, here and by the repeated job.
    expect(after - before).toBeLessThanOrEqual(10);
    const { status, headers, json } = await send(newLetter());
    expect([status, json.error]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(80_000);
  });
});

describe("a mail server that answers no", () => {
  it("for good: the letter has failed, and says why in words of our own", async () => {
    relay.refuse(() => [550, "5.1.1 no such user; token=hunter2"]);
    const { status, json } = await send(newLetter());
    expect([status, json.error, json.queued]).toEqual([502, "mail_failed", false]);
    expect(json.message).toContain("550 5.1.1: the mailbox does not exist");
    expect(json.message).not.toContain("hunter2");
    expect(await row(json.id)).toMatchObject({ status: "failed", nextAttemptAt: null });
  });

  it("for now: the letter waits, is tried again with the same Message-ID, and is given up after three days", async () => {
    relay.refuse(() => [451, "4.7.1 greylisted"]);
    const { status, json } = await send(newLetter());
    expect([status, json.queued]).toEqual([502, true]);
    expect((await row(json.id)).failureReason).toContain("451 4.7.1");
    const old = await send(newLetter());
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

  it("to one of several: the others have it, and the letter says who has not", async () => {
    relay.refuse((recipient) => (recipient.startsWith("bob@") ? [550, "5.1.1 gone"] : null));
    const { status, json } = await send({ ...newLetter(), cc: ["bob@shop.example"] });
    expect(status).toBe(200);
    expect(relay.taken[0]?.recipients).toEqual(["jane@shop.example"]);
    expect(await row(json.id)).toMatchObject({
      status: "sent",
      failureReason: expect.stringContaining("bob@shop.example"),
    });
  });
});

describe("the same letter at once", () => {
  it("is one letter, whoever asked first", async () => {
    const letter = newLetter();
    relay.hold();
    const before = relay.readCount();
    // With a key of its own each says when it has found its letter: once that is sent, the same again is another.
    const keys = Array.from({ length: 8 }, (_, index) => `at-once-${letters}-${index}`);
    const asked = keys.map((key) => send(letter, { "idempotency-key": key }));
    const { idempotencyRecord } = stack.service.deps.db.prisma;
    const found = { key: { in: keys }, answer: { not: Prisma.DbNull } };
    await expect.poll(() => idempotencyRecord.count({ where: found })).toBe(keys.length);
    await expect.poll(() => relay.readCount()).toBe(before + 1);
    expect(await rows()).toHaveLength(1);
    // The job leaves a letter alone that somebody tries.
    await sendDueMail(stack.service.deps);
    expect(relay.readCount()).toBe(before + 1);
    relay.release();
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(relay.taken).toHaveLength(1);
  });

  it("with one key is one letter", async () => {
    const letter = newLetter();
    const key = { "idempotency-key": `race-${letters}` };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(letter, key)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(relay.taken).toHaveLength(1);
  });
});

it("a service without a mail server says so, and keeps nothing", async () => {
  const bare = await startStack({ env: { AGENT_MAIL_DOMAIN: "agents.example" } });
  try {
    const owner = await bare.account();
    await openMailbox(bare, owner);
    const { status, json } = await bare.rest(owner.token, "POST", "/api/agent/email/send", newLetter());
    expect([status, json.error]).toEqual([503, "mail_not_configured"]);
    expect(await bare.service.deps.db.prisma.mailMessage.count()).toBe(0);
  } finally {
    await bare.stop();
  }
});
