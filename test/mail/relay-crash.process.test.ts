// @module-tag postgresql
/** Delivery after a killed process, and by two nodes on one database: each email arrives once. */
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { openRelay, type TestRelay } from "./relay.ts";

let sandbox: TestSandbox;
let relay: TestRelay;
let satchel: Satchel;
let sender: Payer;
let running: SatchelProcess[] = [];

beforeAll(async () => {
  sandbox = await openSandbox([]);
  relay = await openRelay();
  satchel = await createSatchel({
    sandbox,
    postgresql: server,
    env: { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example" },
  });
  sender = await satchel.payer();
  await openMailboxOf(sender);
});
beforeEach(() => {
  relay.accepted.length = 0;
});
afterEach(async () => {
  relay.releaseReplies();
  await Promise.all(running.map((each) => each.kill()));
  running = [];
});
afterAll(async () => {
  await satchel?.remove();
  await relay?.stop();
  await sandbox?.stop();
});

async function openMailboxOf({ accountId }: Payer): Promise<void> {
  await satchel.withDatabase(async ({ prisma }) => {
    // The service starts only if each key in the database is configured.
    const { kekId } = await prisma.wallet.findUniqueOrThrow({ where: { accountId } });
    const unused = {
      holderPublicJwk: {},
      sealedHolderKey: randomBytes(8),
      wrappedDataKey: randomBytes(8),
      kekId,
      isAccountBound: true,
    };
    const registry = { network: "base-sepolia", registryAddress: "0x8004A818BFB912233c491871b3d84c89A494BD9e" };
    const registered = { ...registry, status: "active", agentId: 0n };
    const agent = await prisma.agent.upsert({
      where: { accountId },
      create: { id: newId("agt"), accountId, ...unused, ...registered },
      update: registered,
    });
    const address = "agent-0@agents.example";
    const data = { id: newId("mbx"), accountId, agentId: agent.id, address, displayName: "Agent 0" };
    await prisma.mailbox.create({ data });
  });
}

async function start(): Promise<SatchelProcess> {
  const started = await satchel.start();
  running.push(started);
  return started;
}

async function kill(process: SatchelProcess): Promise<void> {
  await process.kill();
  running = running.filter((each) => each !== process);
}

const send = ({ baseUrl }: SatchelProcess, subject: string, key?: string, cc: readonly string[] = []) =>
  fetch(`${baseUrl}/api/agent/email/send`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-token": sender.token,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify({ to: "jane@merchant.example", cc, subject, body: "Where is it?" }),
  });

const stored = (subject: string) =>
  satchel.withDatabase((db) => db.prisma.mailMessage.findMany({ where: { subject } }));
/** Expires the claims of the killed process. */
const endClaims = () =>
  satchel.withDatabase((db) =>
    db.prisma.mailMessage.updateMany({ where: { status: "queued" }, data: { nextAttemptAt: new Date(0) } }),
  );
const arrived = (subject: string) => relay.accepted.filter(({ mail }) => mail.subject === subject);

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}`, { timeout: 240_000 }, () => {
  it("sends an email after a restart when the process was killed before the server's reply", async () => {
    const first = await start();
    relay.holdReplies();
    const read = relay.readCount();
    const pending = send(first, "killed", "killed-key").catch(() => "disconnected");
    await expect.poll(relay.readCount, { timeout: 60_000 }).toBe(read + 1);
    await kill(first);
    expect(await pending).toBe("disconnected");
    // The server never replied 250, so it discards the email.
    relay.discardHeld();
    await relay.stop();
    await relay.start();
    expect(await stored("killed")).toMatchObject([{ status: "queued", sendAttempts: 1 }]);
    await endClaims();

    const second = await start();
    await expect.poll(() => arrived("killed").length, { timeout: 60_000 }).toBe(1);
    // The client retries with the same key and gets the result of the same email.
    const retry = await send(second, "killed", "killed-key");
    const result = (await retry.json()) as { messageId: string };
    expect([retry.status, result.messageId]).toEqual([200, arrived("killed")[0]?.mail.messageId]);
    await kill(second);
    expect(await stored("killed")).toMatchObject([{ status: "sent", sendAttempts: 2 }]);
    expect(arrived("killed")).toHaveLength(1);
  });

  it("sends an email only to the recipients that had no reply when the process was killed", async () => {
    const [jane, bob] = ["jane@merchant.example", "bob@merchant.example"];
    const first = await start();
    relay.holdReplies(bob);
    const pending = send(first, "several", undefined, [bob]).catch(() => "disconnected");
    const accepted = () =>
      satchel.withDatabase((db) => db.prisma.mailDelivery.findMany({ where: { acceptedAt: { not: null } } }));
    const read = relay.readCount();
    await expect.poll(relay.readCount, { timeout: 60_000 }).toBeGreaterThanOrEqual(read + 2);
    // Without its record, the accepted recipient would receive the same Message-ID twice.
    const statesOf = async () => {
      const response = await fetch(`${first.baseUrl}/api/agent/email/inbox?q=several`, {
        headers: { "x-service-token": sender.token },
      });
      const { messages } = (await response.json()) as { messages: { deliveries: { status: string }[] }[] };
      return messages[0]?.deliveries.map(({ status }) => status);
    };
    await expect.poll(statesOf, { timeout: 60_000 }).toEqual(["accepted", "queued"]);
    await kill(first);
    expect(await pending).toBe("disconnected");
    relay.discardHeld();
    await relay.stop();
    await relay.start();
    await endClaims();
    const second = await start();
    await expect.poll(() => arrived("several").length, { timeout: 60_000 }).toBe(2);
    await second.stop();
    expect(arrived("several").map(({ recipients }) => recipients)).toEqual([[jane], [bob]]);
    expect((await accepted()).filter(({ address }) => [jane, bob].includes(address)).length).toBeGreaterThanOrEqual(2);
    expect(await stored("several")).toMatchObject([{ status: "sent", nextAttemptAt: null }]);
  });

  it("sends a queued email after a restart", async () => {
    await relay.stop();
    const first = await start();
    const response = await send(first, "waiting");
    expect([response.status, ((await response.json()) as { queued: boolean }).queued]).toEqual([502, true]);
    await kill(first);
    await relay.start();
    const second = await start();
    await expect.poll(() => arrived("waiting").length, { timeout: 60_000 }).toBe(1);
    // Stopped rather than killed, so the process records the result before it ends.
    await second.stop();
    expect(await stored("waiting")).toMatchObject([{ status: "sent" }]);
  });

  it.skipIf(server === null)(
    "sends every email once when two nodes retry due emails and both receive repeated requests",
    async () => {
      const once = randomBytes(4).toString("hex");
      const subjects = Array.from({ length: 20 }, (_each, at) => `many ${once} ${at}`);
      await relay.stop();
      const nodes = await Promise.all([start(), start()]);
      const sendAll = (offset: number) =>
        Promise.all(
          subjects.map((subject, at) =>
            send(nodes[(at + offset) % 2] as SatchelProcess, subject, subject.replaceAll(" ", "-")),
          ),
        );
      expect(new Set((await sendAll(0)).map(({ status }) => status))).toEqual(new Set([502]));
      await relay.start();
      await endClaims();
      const responses = await sendAll(1);
      for (const { status } of responses) expect([200, 502]).toContain(status);
      await expect.poll(() => relay.accepted.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(subjects.length);
      await expect
        .poll(async () => (await Promise.all(subjects.map(stored))).flat().every(({ status }) => status === "sent"))
        .toBe(true);
      const rows = await Promise.all(subjects.map(stored));
      expect(rows.map((each) => each.length)).toEqual(subjects.map(() => 1));
      expect(relay.accepted.map(({ mail }) => mail.subject).toSorted()).toEqual(subjects.toSorted());
    },
  );
});
