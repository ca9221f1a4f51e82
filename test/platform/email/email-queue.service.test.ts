// @module-tag postgresql
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openEmailQueue } from "../../../src/platform/email/email-queue.ts";
import { startJobs } from "../../../src/platform/jobs/queue.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { freshDatabase } from "../../support/database.ts";
import { openMailer, openMailServer } from "../../support/mail-server.ts";

const LETTER = { to: "ada@example.com", subject: "Your code", text: "It is 481516." };

describe("a queued letter", () => {
  async function openQueue(db: Parameters<typeof startJobs>[0], smtpUrl: string | undefined) {
    const { mailer, log } = openMailer(smtpUrl);
    const logger = createLogger("info", { write: (line) => void log.push(line) });
    const jobs = await startJobs(db, logger);
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= jobs.stop());
    onTestFinished(stop);
    const queueEmail = await openEmailQueue({ jobs, mailer, logger, retryDelaySeconds: 1 });
    return { queueEmail, stop, log };
  }

  it("survives a restart, is tried again while the server is away, and arrives once", async () => {
    const { db, close } = await freshDatabase();
    onTestFinished(close);
    let refusals = 1;
    const server = await openMailServer({ refuse: () => (refusals-- > 0 ? [451, "later"] : null) });
    const before = await openQueue(db, undefined);
    await before.queueEmail({ ...LETTER, idempotencyKey: "grant-7" });
    await before.queueEmail({ ...LETTER, idempotencyKey: "grant-7" });
    await expect(before.queueEmail({ ...LETTER, to: "a@b, c@d" })).rejects.toMatchObject({ code: "invalid_request" });
    await before.stop();

    const after = await openQueue(db, server.url);
    await after.queueEmail({ ...LETTER, subject: "Another" });
    await vi.waitFor(() => expect(server.arrived).toHaveLength(2), { timeout: 20_000, interval: 20 });
    await after.queueEmail({ ...LETTER, idempotencyKey: "grant-7" });
    await after.queueEmail({ ...LETTER, subject: "Last" });
    await vi.waitFor(() => expect(subjects()).toContain("Last"), { timeout: 20_000, interval: 20 });
    expect(subjects().toSorted()).toEqual(["Another", "Last", "Your code"]);

    function subjects() {
      return server.arrived.map(({ mail }) => mail.subject);
    }
  }, 45_000);

  it("waits for those before it no longer than they take", async () => {
    const { db, close } = await freshDatabase();
    onTestFinished(close);
    const server = await openMailServer();
    const { queueEmail } = await openQueue(db, server.url);
    // Looked for twice a second, one at a time, they would take half a minute.
    await Promise.all(Array.from({ length: 60 }, () => queueEmail(LETTER)));
    await vi.waitFor(() => expect(server.arrived).toHaveLength(60), { timeout: 20_000, interval: 20 });
  }, 45_000);

  it("is not tried again when it is refused for good", async () => {
    const { db, close } = await freshDatabase();
    onTestFinished(close);
    let attempts = 0;
    const server = await openMailServer({
      refuse() {
        attempts += 1;
        return [550, "nobody here"];
      },
    });
    const { queueEmail, log } = await openQueue(db, server.url);
    await queueEmail(LETTER);
    await vi.waitFor(() => expect(log.join("")).toContain("not tried again"), { timeout: 20_000, interval: 20 });
    const states = () => db.executeSql("SELECT state FROM jobs.job WHERE name = 'letters'").then(({ rows }) => rows);
    await vi.waitFor(async () => expect(await states()).toEqual([{ state: "completed" }]), { timeout: 20_000 });
    expect(attempts).toBe(1);
  });
});
