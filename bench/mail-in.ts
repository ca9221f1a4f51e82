/** Mail received, checked, parsed and stored on disk, against bare inserts into the same table; and how soon it is told. */
import { randomUUID } from "node:crypto";
import { createClient } from "graphql-ws";
import { createTransport } from "nodemailer";
import WebSocket from "ws";
import { messageZoo } from "../test/mail/message-zoo.ts";
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { openAll } from "./harness/opened.ts";
import { query } from "./harness/postgresql.ts";
import { type BenchService, openService } from "./harness/service.ts";

const MAILBOXES = 16;
const CONNECTIONS = 16;
/** All of them once, before anything is measured: `BENCH_MAIL_MESSAGES=10000 npm run bench mail-in`. */
const FIRST_MESSAGES = Number(process.env["BENCH_MAIL_MESSAGES"] ?? 0);
const ZOO_SEED = 1;
const ROUND_ZOO = 2_000;
const BARE = "bare insert";
const BODY = "Your order has been shipped and will arrive tomorrow.\r\n".repeat(20);
const ENV = {
  AGENT_MAIL_DOMAIN: "agents.example",
  MAIL_PER_SENDER_PER_MINUTE: "1000000",
  MAIL_PER_HOST_PER_MINUTE: "1000000",
};

export const mailIn: Bench = {
  name: "mail-in",
  title: `mail by SMTP to its row on disk, ${CONNECTIONS} connections, ${MAILBOXES} mailboxes`,
  unit: "messages",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const service = await openService(opened, postgresqlUrl ?? "", MAILBOXES + 1, ENV);
      const [spare = "", ...addresses] = await openMailboxes(service);
      const bare = await startChild("mail-insert", { args: [service.databaseUrl, ...(await spareThread(service))] });
      opened.add(bare, ({ stop }) => stop());
      const notes = FIRST_MESSAGES > 0 ? [await sendWhole(service, addresses)] : [];
      const watcher = await watch(service, addresses[0] ?? "");
      opened.add(watcher, ({ stop }) => stop());
      const zoo = messageZoo(ROUND_ZOO, ZOO_SEED + 1);
      let zooSent = 0;
      const nextOfZoo = () => {
        const { raw } = zoo[zooSent % zoo.length] ?? { raw: Buffer.alloc(0) };
        return Buffer.concat([
          Buffer.from(`X-Round: ${zooSent++}\r\nMessage-ID: <${randomUUID()}@bench.example>\r\n`),
          raw,
        ]);
      };
      return {
        subjects: [
          { name: BARE, process: bare, run: (durationMs) => bare.ask("insert", { durationMs }) },
          {
            name: "plain letters",
            process: service.process,
            run: (ms) => sendFor(service, addresses, ms, plainLetter),
          },
          {
            name: "mixed and hostile",
            process: service.process,
            run: (ms) => sendFor(service, addresses, ms, nextOfZoo),
          },
          { name: "one at a time, to the subscription", process: service.process, run: watcher.run },
        ],
        comparisons: [
          { subject: "plain letters", against: BARE },
          { subject: "mixed and hostile", against: BARE },
        ],
        notes: () => [...notes, watcher.note(), `the bare inserts go to the mailbox ${spare}`],
        close: opened.close,
      };
    }),
};

function plainLetter(to: string): Buffer {
  const head = `From: Ada <ada@bench.example>\r\nTo: ${to}\r\nSubject: Your order\r\nMessage-ID: <${randomUUID()}@bench.example>\r\n`;
  return Buffer.from(`${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${BODY}`);
}

function transportTo({ process: { hello } }: BenchService, maxConnections: number) {
  if (!hello.incomingMail) throw new Error("The service takes no mail.");
  return createTransport({ ...hello.incomingMail, ignoreTLS: true, pool: true, maxConnections, maxMessages: 100_000 });
}

async function sendFor(
  service: BenchService,
  addresses: readonly string[],
  durationMs: number,
  make: (to: string) => Buffer,
) {
  const transport = transportTo(service, CONNECTIONS);
  const startedMs = performance.now();
  let count = 0;
  const lanes = Array.from({ length: CONNECTIONS }, async (_, lane) => {
    const to = addresses[lane % addresses.length] ?? "";
    while (performance.now() - startedMs < durationMs) {
      await transport.sendMail({ envelope: { from: `sender-${lane}@bench.example`, to: [to] }, raw: make(to) });
      count += 1;
    }
  });
  await Promise.all(lanes);
  transport.close();
  return count / ((performance.now() - startedMs) / 1_000);
}

/** Every message of the zoo once; says how many were stored, how fast, and what the service's memory was. */
async function sendWhole(service: BenchService, addresses: readonly string[]): Promise<string> {
  const zoo = messageZoo(FIRST_MESSAGES, ZOO_SEED);
  const transport = transportTo(service, CONNECTIONS);
  const megabytes = async () => Math.round((await service.process.ask<number>("rssBytes")) / 1e6);
  const [beforeMb, startedMs] = [await megabytes(), performance.now()];
  const memoryMb: number[] = [];
  let next = 0;
  const refused: string[] = [];
  const lanes = Array.from({ length: CONNECTIONS }, async (_, lane) => {
    for (let index = next++; index < zoo.length; index = next++) {
      const { kind = "", raw = "" } = zoo[index] ?? {};
      const envelope = { from: `sender-${lane}@bench.example`, to: [addresses[lane % addresses.length] ?? ""] };
      await transport.sendMail({ envelope, raw }).catch((error: Error) => refused.push(`${kind}: ${error.message}`));
      if (index % 500 === 0) memoryMb.push(await megabytes());
    }
  });
  await Promise.all(lanes);
  transport.close();
  const seconds = (performance.now() - startedMs) / 1_000;
  const stored = await query<{ count: string }>(
    service.databaseUrl,
    "SELECT count(*) FROM mail_messages WHERE direction = 'inbound'",
  );
  const memory = `${beforeMb} MB before, ${memoryMb.join(", ")} MB on the way, ${await megabytes()} MB after`;
  const whatRefused = refused.length > 0 ? `; first refusal ${refused[0]}` : "";
  return `${zoo.length} mixed messages: ${stored[0]?.count} stored, ${refused.length} refused${whatRefused}, ${Math.round(zoo.length / seconds)} a second; memory ${memory}`;
}

/** Sends one after another to a mailbox that is watched, each once the one before has been told. */
async function watch(service: BenchService, address: string) {
  const client = createClient({
    url: `${service.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": service.tokenHeaders[1]?.["x-service-token"] },
    retryAttempts: 0,
  });
  const latenciesMs: number[] = [];
  let told = () => {};
  const query = "subscription { mailReceived { message { messageId subject from extractedText } } }";
  const stop = client.subscribe({ query }, { next: () => told(), error: () => {}, complete: () => {} });
  const transport = transportTo(service, 1);
  return {
    async run(durationMs: number): Promise<number> {
      const startedMs = performance.now();
      let count = 0;
      while (performance.now() - startedMs < durationMs) {
        const { promise, resolve } = Promise.withResolvers<void>();
        told = resolve;
        const sentMs = performance.now();
        const envelope = { from: "watcher@bench.example", to: [address] };
        await Promise.all([transport.sendMail({ envelope, raw: plainLetter(address) }), promise]);
        latenciesMs.push(performance.now() - sentMs);
        count += 1;
      }
      return count / ((performance.now() - startedMs) / 1_000);
    },
    note() {
      const sorted = latenciesMs.toSorted((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
      return `from the first byte to the subscription: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length} messages)`;
    },
    async stop() {
      stop();
      transport.close();
      await client.dispose();
    },
  };
}

/** One for each account, and the first for bare inserts. */
async function openMailboxes(service: BenchService): Promise<string[]> {
  const addresses: string[] = [];
  for (const [index, { accountId }] of service.process.hello.accounts.entries()) {
    const address = `agent-${index}@agents.example`;
    const agent = `agt_bench_${index}`;
    await query(
      service.databaseUrl,
      `INSERT INTO agents (id, account_id, status, network, registry_address, agent_id, holder_public_jwk, sealed_holder_key, wrapped_data_key, kek_id)
       VALUES ($1, $2, 'active', 'bench', '0x0', $3, '{}', '', '', '')
       ON CONFLICT (account_id) DO UPDATE SET status = 'active', agent_id = $3, next_check_at = NULL RETURNING id`,
      [agent, accountId, index],
    );
    await query(
      service.databaseUrl,
      `INSERT INTO mailboxes (id, account_id, agent_id, address, display_name)
       SELECT $1, $2, id, $3, 'Bench' FROM agents WHERE account_id = $2`,
      [`mbx_bench_${index}`, accountId, address],
    );
    addresses.push(address);
  }
  return addresses;
}

/** Of the mailbox that no mail comes to. @returns its mailbox, account and thread */
async function spareThread(service: BenchService): Promise<[string, string, string]> {
  const { accountId = "" } = service.process.hello.accounts[0] ?? {};
  await query(
    service.databaseUrl,
    "INSERT INTO mail_threads (id, mailbox_id, subject, last_message_at) VALUES ('mth_bench', 'mbx_bench_0', '', now())",
  );
  return ["mbx_bench_0", accountId, "mth_bench"];
}
