/** Large attachments over SMTP: stored completely, with memory use independent of their size. Unproven senders store none. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
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
const SENDERS = 10;

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

/** Returns the size of all files below a folder. */
async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  // The service replaces files meanwhile.
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => null)));
  return sizes.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

it("refuses large messages of unproven senders without growing the data folder", async () => {
  const mail = { AGENT_MAIL_DOMAIN: "agents.example", MAIL_LISTEN_PORT: String(await findFreePort()) };
  const env = { ...mail, MAIL_DNS_SERVERS: sandbox.dnsServer };
  const second = await createSatchel({ sandbox, postgresql: null, env });
  let process: SatchelProcess | null = null;
  try {
    const { accountId } = await second.payer();
    const mailbox = await second.withDatabase((db) => createMailbox({ service: { deps: { db } } }, { accountId }));
    process = await second.start();
    const transport = createTransport({ host: "127.0.0.1", port: Number(mail.MAIL_LISTEN_PORT), ignoreTLS: true });
    const send = (raw: Buffer) =>
      transport.sendMail({ envelope: { from: "ada@corpus.example", to: [mailbox.address] }, raw });
    expect((await send(largeMessage("small", 10_000))).response).toMatch(/^250/);
    const before = await measureFolder(second.dataDir);
    for (let index = 0; index < SENDERS; index++) {
      await expect(send(largeMessage(`unproven-${index}`, 18_500_000))).rejects.toThrow(/552 5\.3\.4/);
    }
    const grown = (await measureFolder(second.dataDir)) - before;
    // Their messages have 250 MB. A segment of the database's log has 16 MB.
    expect(grown).toBeLessThan(20_000_000);
    transport.close();
  } finally {
    await process?.stop();
    await second.remove();
  }
});
