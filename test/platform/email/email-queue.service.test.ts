// @module-tag postgresql
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openEmailQueue } from "../../../src/platform/email/email-queue.ts";
import { startJobs } from "../../../src/platform/jobs/queue.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createTestDatabase } from "../../support/database.ts";
import { createTestMailer, openMailServer } from "../../support/mail-server.ts";

const EMAIL = { to: "ada@example.com", subject: "Your code", text: "It is 481516." };

describe("a queued email", () => {
  async function openQueue(db: Parameters<typeof startJobs>[0], smtpUrl: string | undefined) {
    const { mailer, log } = createTestMailer(smtpUrl);
    const logger = createLogger("info", { write: (line) => void log.push(line) });
    const jobs = await startJobs(db, logger);
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= jobs.stop());
    onTestFinished(stop);
    const queueEmail = await openEmailQueue({ jobs, mailer, logger, retryDelaySeconds: 1 });
    return { queueEmail, stop, log };
  }

  it("survives a restart, is retried while the mail server is unavailable, and is delivered once", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    let refusals = 1;
    const server = await openMailServer({ refuse: () => (refusals-- > 0 ? [451, "later"] : null) });
    const before = await openQueue(db, undefined);
    await before.queueEmail({ ...EMAIL, idempotencyKey: "grant-7" });
    await before.queueEmail({ ...EMAIL, idempotencyKey: "grant-7" });
    await expect(before.queueEmail({ ...EMAIL, to: "a@b, c@d" })).rejects.toMatchObject({ code: "invalid_request" });
    await before.stop();

    const after = await openQueue(db, server.url);
    await after.queueEmail({ ...EMAIL, subject: "Another" });
    await vi.waitFor(() => expect(server.received).toHaveLength(2), { timeout: 20_000, interval: 20 });
    await after.queueEmail({ ...EMAIL, idempotencyKey: "grant-7" });
    await after.queueEmail({ ...EMAIL, subject: "Last" });
    await vi.waitFor(() => expect(subjects()).toContain("Last"), { timeout: 20_000, interval: 20 });
    expect(subjects().toSorted()).toEqual(["Another", "Last", "Your code"]);

    function subjects() {
      return server.received.map(({ mail }) => mail.subject);
    }
  }, 45_000);

  it("is sent immediately after the previous ones, without waiting for a poll", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    const server = await openMailServer();
    const { queueEmail } = await openQueue(db, server.url);
    // One email per poll, twice a second, would last 30 seconds.
    await Promise.all(Array.from({ length: 60 }, () => queueEmail(EMAIL)));
    await vi.waitFor(() => expect(server.received).toHaveLength(60), { timeout: 20_000, interval: 20 });
  }, 45_000);

  it("does not wait for the emails that another recipient has queued before, except the first", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    const server = await openMailServer();
    const before = await openQueue(db, undefined);
    for (let n = 0; n < 5; n++) await before.queueEmail({ ...EMAIL, to: "flooded@example.com" });
    for (let n = 0; n < 2; n++) await before.queueEmail(EMAIL);
    await before.stop();
    await openQueue(db, server.url);
    await vi.waitFor(() => expect(server.received).toHaveLength(7), { timeout: 20_000, interval: 20 });
    const recipients = server.received.map(({ recipients: [to] }) => to?.split("@")[0]);
    expect(recipients).toEqual(["flooded", "ada", "flooded", "ada", "flooded", "flooded", "flooded"]);
  }, 45_000);

  it("is not retried after a permanent rejection", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    let attempts = 0;
    const server = await openMailServer({
      refuse() {
        attempts += 1;
        return [550, "no such mailbox"];
      },
    });
    const { queueEmail, log } = await openQueue(db, server.url);
    await queueEmail(EMAIL);
    await vi.waitFor(() => expect(log.join("")).toContain("no retry"), { timeout: 20_000, interval: 20 });
    const states = () => db.executeSql("SELECT state FROM jobs.job WHERE name = 'letters'").then(({ rows }) => rows);
    await vi.waitFor(async () => expect(await states()).toEqual([{ state: "completed" }]), { timeout: 20_000 });
    expect(attempts).toBe(1);
  });
});
