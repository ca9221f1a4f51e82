/** Large attachments over SMTP: stored completely, with memory use independent of their size. */
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFreePort } from "../support/find-free-port.ts";
import { readPeakBytes, resetPeakMemory } from "../support/process-memory.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { createMailbox } from "./fixtures.ts";
import { largeMessage } from "./message-parts.ts";

const NAMES = Array.from({ length: 9 }, (_, index) => `large-${index}`);
/** Messages until the heap reaches its working size. A leak would raise later peaks. */
const FIRST = 3;
const LARGE_BYTES = 20_000_000;
const CHUNK_BYTES = 524_288;

let sandbox: TestSandbox;
let satchel: Satchel;
let running: SatchelProcess;
let address: string;
let port: number;

beforeAll(async () => {
  sandbox = await openSandbox([]);
  port = await findFreePort();
  const mail = { AGENT_MAIL_DOMAIN: "agents.example", MAIL_LISTEN_PORT: String(port) };
  // The sender is not proven.
  const env = { ...mail, MAIL_DNS_SERVERS: sandbox.dnsServer, MAIL_MAX_UNPROVEN_BYTES: "104857600" };
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl, env });
  const { accountId } = await satchel.payer();
  ({ address } = await satchel.withDatabase((db) => createMailbox({ service: { deps: { db } } }, { accountId })));
  running = await satchel.start();
});
afterAll(async () => {
  await running?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

async function sendLarge(names: readonly string[]): Promise<void> {
  const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const envelope = { from: "ada@corpus.example", to: [address] };
  for (const name of names) {
    const { response } = await transport.sendMail({ envelope, raw: largeMessage(name, LARGE_BYTES) });
    expect(response).toMatch(/^250/);
  }
  transport.close();
}

it("stores large attachments completely in constant memory", async () => {
  await sendLarge(NAMES.slice(0, FIRST));
  const early = await readPeakBytes(running.pid);
  await resetPeakMemory(running.pid);
  await sendLarge(NAMES.slice(FIRST));
  const late = await readPeakBytes(running.pid);
  await running.stop();
  const found = await satchel.withDatabase((db) =>
    db.prisma.mailAttachment.findMany({ where: { filename: { startsWith: "large-" } }, include: { _count: true } }),
  );
  expect(found.map(({ sizeBytes }) => sizeBytes)).toEqual(NAMES.map(() => LARGE_BYTES));
  expect(found.every(({ _count }) => _count.chunks === Math.ceil(LARGE_BYTES / CHUNK_BYTES))).toBe(true);
  expect((late - early) / 1e6).toBeLessThan(100);
});
