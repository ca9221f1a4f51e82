/**
 * Mail received, checked, parsed and stored on disk, beside bare inserts into the same table. Also measures the latency to the
 * subscription.
 */
import { randomUUID } from "node:crypto";
import { createClient } from "graphql-ws";
import { createTransport } from "nodemailer";
import WebSocket from "ws";
import { generateMessages } from "../test/mail/generated-messages.ts";
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { query } from "./harness/postgresql.ts";
import { openResources } from "./harness/resources.ts";
import { type BenchService, openService } from "./harness/service.ts";

const MAILBOXES = 16;
const CONNECTIONS = 16;
/** Number of messages that are sent once before the measurement: `BENCH_MAIL_MESSAGES=10000 npm run bench mail-in`. */
const FIRST_MESSAGES = Number(process.env["BENCH_MAIL_MESSAGES"] ?? 0);
const MIXED_SEED = 1;
const MIXED_MESSAGES = 2_000;
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
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", MAILBOXES + 1, ENV);
      const [spare = "", ...addresses] = await openMailboxes(service);
      const bare = await startChild("mail-insert", {
        args: [service.databaseUrl, ...(await createSpareThread(service))],
      });
      resources.add(bare, ({ stop }) => stop());
      const notes = FIRST_MESSAGES > 0 ? [await sendFirstMessages(service, addresses)] : [];
      const latencyProbe = await openLatencyProbe(service, addresses[0] ?? "");
      resources.add(latencyProbe, ({ stop }) => stop());
      const mixedMessages = generateMessages(MIXED_MESSAGES, MIXED_SEED + 1);
      let mixedSentCount = 0;
      const nextMixedMessage = () => {
        const { raw } = mixedMessages[mixedSentCount % mixedMessages.length] ?? { raw: Buffer.alloc(0) };
        return Buffer.concat([
          Buffer.from(`X-Round: ${mixedSentCount++}\r\nMessage-ID: <${randomUUID()}@bench.example>\r\n`),
          raw,
        ]);
      };
      return {
        subjects: [
          { name: BARE, process: bare, run: (durationMs) => bare.request("insert", { durationMs }) },
          {
            name: "plain messages",
            process: service.process,
            run: (ms) => sendFor(service, addresses, ms, createPlainMessage),
          },
          {
            name: "mixed and hostile",
            process: service.process,
            run: (ms) => sendFor(service, addresses, ms, nextMixedMessage),
          },
          { name: "one at a time, to the subscription", process: service.process, run: latencyProbe.run },
        ],
        comparisons: [
          { subject: "plain messages", against: BARE },
          { subject: "mixed and hostile", against: BARE },
        ],
        notes: () => [...notes, latencyProbe.note(), `mailbox of the bare inserts: ${spare}`],
        close: resources.close,
      };
    }),
};

function createPlainMessage(to: string): Buffer {
  const head = `From: Ada <ada@bench.example>\r\nTo: ${to}\r\nSubject: Your order\r\nMessage-ID: <${randomUUID()}@bench.example>\r\n`;
  return Buffer.from(`${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${BODY}`);
}

function transportTo({ process: { hello } }: BenchService, maxConnections: number) {
  if (!hello.incomingMail) throw new Error("The service has no SMTP listener. No mail was sent.");
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

/** Sends `FIRST_MESSAGES` mixed messages once. @returns a note: messages stored and rejected, rate, and memory of the service */
async function sendFirstMessages(service: BenchService, addresses: readonly string[]): Promise<string> {
  const mixedMessages = generateMessages(FIRST_MESSAGES, MIXED_SEED);
  const transport = transportTo(service, CONNECTIONS);
  const megabytes = async () => Math.round((await service.process.request<number>("rssBytes")) / 1e6);
  const [beforeMb, startedMs] = [await megabytes(), performance.now()];
  const memoryMb: number[] = [];
  let next = 0;
  const rejections: string[] = [];
  const lanes = Array.from({ length: CONNECTIONS }, async (_, lane) => {
    for (let index = next++; index < mixedMessages.length; index = next++) {
      const { kind = "", raw = "" } = mixedMessages[index] ?? {};
      const envelope = { from: `sender-${lane}@bench.example`, to: [addresses[lane % addresses.length] ?? ""] };
      await transport.sendMail({ envelope, raw }).catch((error: Error) => rejections.push(`${kind}: ${error.message}`));
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
  const memory = `${beforeMb} MB before, ${memoryMb.join(", ")} MB during, ${await megabytes()} MB after`;
  const firstRejection = rejections.length > 0 ? `; first rejection ${rejections[0]}` : "";
  return `${mixedMessages.length} mixed messages: ${stored[0]?.count} stored, ${rejections.length} rejected${firstRejection}, ${Math.round(mixedMessages.length / seconds)} per second; memory ${memory}`;
}

/** Sends messages to one mailbox, each after the subscription has delivered the previous one, and records the latencies. */
async function openLatencyProbe(service: BenchService, address: string) {
  const client = createClient({
    url: `${service.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": service.tokenHeaders[1]?.["x-service-token"] },
    retryAttempts: 0,
  });
  const latenciesMs: number[] = [];
  let onDelivered = () => {};
  const query = "subscription { mailReceived { message { messageId subject from extractedText } } }";
  const stop = client.subscribe({ query }, { next: () => onDelivered(), error: () => {}, complete: () => {} });
  const transport = transportTo(service, 1);
  return {
    async run(durationMs: number): Promise<number> {
      const startedMs = performance.now();
      let count = 0;
      while (performance.now() - startedMs < durationMs) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onDelivered = resolve;
        const sentMs = performance.now();
        const envelope = { from: "watcher@bench.example", to: [address] };
        await Promise.all([transport.sendMail({ envelope, raw: createPlainMessage(address) }), promise]);
        latenciesMs.push(performance.now() - sentMs);
        count += 1;
      }
      return count / ((performance.now() - startedMs) / 1_000);
    },
    note() {
      const sorted = latenciesMs.toSorted((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
      return `latency from the first byte to the subscription: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length} messages)`;
    },
    async stop() {
      stop();
      transport.close();
      await client.dispose();
    },
  };
}

/** Creates one mailbox per account, the first for the bare inserts. @returns their addresses */
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

/** Creates a thread in the mailbox for the bare inserts. @returns the ids of mailbox, account and thread */
async function createSpareThread(service: BenchService): Promise<[string, string, string]> {
  const { accountId = "" } = service.process.hello.accounts[0] ?? {};
  await query(
    service.databaseUrl,
    "INSERT INTO mail_threads (id, mailbox_id, subject, last_message_at) VALUES ('mth_bench', 'mbx_bench_0', '', now())",
  );
  return ["mbx_bench_0", accountId, "mth_bench"];
}
