// @module-tag postgresql
/** Processes killed while a letter is on its way, and two of them on one database: it arrives, once. */
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
  relay.taken.length = 0;
});
afterEach(async () => {
  relay.release();
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
    const unused = {
      holderPublicJwk: {},
      sealedHolderKey: randomBytes(8),
      wrappedDataKey: randomBytes(8),
      kekId: "none",
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

const send = ({ baseUrl }: SatchelProcess, subject: string, key?: string) =>
  fetch(`${baseUrl}/api/agent/email/send`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-token": sender.token,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify({ to: "jane@shop.example", subject, body: "Where is it?" }),
  });

const stored = (subject: string) =>
  satchel.withDatabase((db) => db.prisma.mailMessage.findMany({ where: { subject } }));
/** The dead process's claim has run out. */
const endClaims = () =>
  satchel.withDatabase((db) =>
    db.prisma.mailMessage.updateMany({ where: { status: "queued" }, data: { nextAttemptAt: new Date(0) } }),
  );
const arrived = (subject: string) => relay.taken.filter(({ mail }) => mail.subject === subject);

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}`, { timeout: 240_000 }, () => {
  it("a letter whose process is killed before the server answered is sent by the next one", async () => {
    const first = await start();
    relay.hold();
    const read = relay.readCount();
    const asked = send(first, "killed", "killed-key").catch(() => "cut off");
    await expect.poll(relay.readCount, { timeout: 60_000 }).toBe(read + 1);
    await kill(first);
    expect(await asked).toBe("cut off");
    // That server never said yes: whatever it read is gone.
    relay.forget();
    await relay.stop();
    await relay.start();
    expect(await stored("killed")).toMatchObject([{ status: "queued", sendAttempts: 1 }]);
    await endClaims();

    const second = await start();
    await expect.poll(() => arrived("killed").length, { timeout: 60_000 }).toBe(1);
    // The one who was cut off asks again, long after: it is that letter still.
    const again = await send(second, "killed", "killed-key");
    const answer = (await again.json()) as { messageId: string };
    expect([again.status, answer.messageId]).toEqual([200, arrived("killed")[0]?.mail.messageId]);
    await kill(second);
    expect(await stored("killed")).toMatchObject([{ status: "sent", sendAttempts: 2 }]);
    expect(arrived("killed")).toHaveLength(1);
  });

  it("a letter that waits for the server outlives its process", async () => {
    await relay.stop();
    const first = await start();
    const answer = await send(first, "waiting");
    expect([answer.status, ((await answer.json()) as { queued: boolean }).queued]).toEqual([502, true]);
    await kill(first);
    await relay.start();
    const second = await start();
    await expect.poll(() => arrived("waiting").length, { timeout: 60_000 }).toBe(1);
    // A process that is stopped puts on record what it has sent: killed, it would leave that to the next test's.
    await second.stop();
    expect(await stored("waiting")).toMatchObject([{ status: "sent" }]);
  });

  it.skipIf(server === null)(
    "two nodes that both try what is due, and are both asked again, send every letter once",
    async () => {
      const once = randomBytes(4).toString("hex");
      const subjects = Array.from({ length: 20 }, (_each, at) => `many ${once} ${at}`);
      await relay.stop();
      const nodes = await Promise.all([start(), start()]);
      const ask = (turn: number) =>
        Promise.all(
          subjects.map((subject, at) =>
            send(nodes[(at + turn) % 2] as SatchelProcess, subject, subject.replaceAll(" ", "-")),
          ),
        );
      expect(new Set((await ask(0)).map(({ status }) => status))).toEqual(new Set([502]));
      await relay.start();
      await endClaims();
      const answers = await ask(1);
      for (const { status } of answers) expect([200, 502]).toContain(status);
      await expect.poll(() => relay.taken.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(subjects.length);
      await expect
        .poll(async () => (await Promise.all(subjects.map(stored))).flat().every(({ status }) => status === "sent"))
        .toBe(true);
      const rows = await Promise.all(subjects.map(stored));
      expect(rows.map((each) => each.length)).toEqual(subjects.map(() => 1));
      expect(relay.taken.map(({ mail }) => mail.subject).toSorted()).toEqual(subjects.toSorted());
    },
  );
});
