/** Lists and the payment path of an account with 100,000 payments among a million rows, beside an account with one page of each. */
import { Pool } from "undici";
import type { Bench, Subject } from "./harness/bench.ts";
import { createOffer } from "./harness/offer.ts";
import { query } from "./harness/postgresql.ts";
import { openResources } from "./harness/resources.ts";
import { type BenchService, openService } from "./harness/service.ts";

const CONNECTIONS = 8;
const MAX_P99_RATIO = 1.5;
const RESOURCE_URL = "http://127.0.0.1:9/paid";
const ENV = { AGENT_MAIL_DOMAIN: "agents.example" };
const CALLS = "{ viewer { gatewayCalls(first: 20, filter: { statuses: [FAILED] }) { edges { node { callId } } } } }";

/** Requests by name; without a body they are GET. */
const REQUESTS: Readonly<Record<string, { readonly path: string; readonly body?: object }>> = {
  "first page of the ledger": { path: "/api/transactions" },
  "rare payments of the ledger": { path: "/api/transactions?type=trade&status=failed" },
  "a filter that no payment matches": { path: "/api/transactions?network=solana-devnet" },
  orders: { path: "/api/autofill/orders" },
  "failed calls of models": { path: "/graphql", body: { query: CALLS } },
  inbox: { path: "/api/agent/email/inbox" },
  "search of the inbox": { path: "/api/agent/email/inbox?q=invoice" },
  "signed payment": {
    path: "/api/sign-payment",
    body: { paymentRequirements: createOffer(RESOURCE_URL), requestData: { url: RESOURCE_URL } },
  },
};

interface Size {
  readonly accounts: number;
  /** The first rows of each table belong to the measured account. */
  readonly own: number;
  readonly payments: number;
  readonly others: number;
  /** Every n-th row has rare values. */
  readonly rareEvery: number;
}

// Pages are equally full: at most 50 rows, of which at least 20 are rare.
const SMALL: Size = { accounts: 10, own: 50, payments: 50, others: 50, rareEvery: 2 };
const LARGE: Size = { accounts: 100_000, own: 100_000, payments: 600_000, others: 135_000, rareEvery: 1_000 };

const SIZES = { small: SMALL, large: LARGE };

/** Creates the rows. */
async function fill(
  { databaseUrl, process }: BenchService,
  { accounts, own, payments, others, rareEvery }: Size,
): Promise<void> {
  const accountId = process.hello.accounts[0]?.accountId;
  const owner = `CASE WHEN n <= ${own} THEN '${accountId}'::uuid ELSE account(n % ${accounts}) END`;
  const mailbox = `CASE WHEN n <= ${own} THEN 'mbx_own' ELSE 'mbx_other' END`;
  const at = "now() - n * interval '1 second'";
  const key = "lpad(n::text, 9, '0')";
  await query(
    databaseUrl,
    `CREATE FUNCTION account(n int) RETURNS uuid LANGUAGE sql
       AS $$ SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
     INSERT INTO accounts (id) SELECT account(n) FROM generate_series(0, ${accounts}) n;
     INSERT INTO credits (account_id, available_micro_usd) SELECT account(n), 0 FROM generate_series(0, ${accounts}) n;
     INSERT INTO transactions (id, account_id, type, status, direction, network, amount_atomic, amount_micro_usd, budget_ids, budget_day, created_at, updated_at)
       SELECT 'tx_' || ${key}, ${owner}, CASE WHEN n % ${rareEvery} = 0 THEN 'trade' ELSE 'x402' END,
         CASE WHEN n % ${rareEvery} = 0 THEN 'failed' ELSE 'settled' END, 'out', 'base', 1, 1, ARRAY['account', 'token'], now()::date, ${at}, ${at}
       FROM generate_series(1, ${payments}) n;
     INSERT INTO gateway_calls (id, account_id, budget_id, model, status, is_streamed, created_at, updated_at)
       SELECT 'gwc_' || ${key}, ${owner}, 'budget', 'model-' || n % 5, CASE WHEN n % ${rareEvery} = 0 THEN 'failed' ELSE 'completed' END, false, ${at}, ${at}
       FROM generate_series(1, ${others}) n;
     INSERT INTO checkout_orders (id, account_id, credential_id, kind, status, dispatch_sha256, request, created_at, updated_at)
       SELECT 'ord_' || ${key}, ${owner}, 'token', 'explored', 'timeout', decode(${key}, 'escape'), '{}', ${at}, ${at}
       FROM generate_series(1, ${others}) n;
     INSERT INTO agents (id, account_id, status, network, registry_address, holder_public_jwk, sealed_holder_key, wrapped_data_key, kek_id)
       SELECT 'agt_' || mailbox, id, 'revoked', 'base', '', '{}', '', '', 'kek' FROM (VALUES ('own', '${accountId}'), ('other', account(0))) v (mailbox, id)
       ON CONFLICT (account_id) DO NOTHING;
     INSERT INTO mailboxes (id, account_id, agent_id, address, display_name)
       SELECT 'mbx_' || mailbox, v.id, a.id, mailbox, '' FROM (VALUES ('own', '${accountId}'), ('other', account(0))) v (mailbox, id)
       JOIN agents a ON a.account_id = v.id;
     INSERT INTO mail_threads (id, mailbox_id, subject, last_message_at)
       SELECT 'mth_' || ${key}, ${mailbox}, '', ${at} FROM generate_series(1, ${others}) n;
     INSERT INTO mail_messages (id, mailbox_id, account_id, thread_id, direction, status, from_address, from_name, subject, body_text,
         extracted_text, message_id_header, size_bytes, created_at, updated_at)
       SELECT 'aem_' || ${key}, ${mailbox}, ${owner}, 'mth_' || ${key}, 'inbound', 'received', 'sender' || n % 100 || '@mail.example', '', 'Subject ' || n,
         'Text of the message ' || CASE WHEN n % ${rareEvery} = 0 OR n > ${own} THEN 'with an invoice' ELSE '' END, '', n, 1, ${at}, ${at}
       FROM generate_series(1, ${others}) n`,
  );
  await query(databaseUrl, "VACUUM ANALYZE");
}

/** Sends a request on every connection, one after the other, for `durationMs`. Returns the latencies in milliseconds. */
async function sendRequests(
  pool: Pool,
  headers: Readonly<Record<string, string>>,
  { path, body }: { readonly path: string; readonly body?: object },
  durationMs: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const endsAtMs = performance.now() + durationMs;
  const send = async () => {
    while (performance.now() < endsAtMs) {
      const startedAtMs = performance.now();
      const response = await pool.request({
        path,
        method: body ? "POST" : "GET",
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      if (response.statusCode >= 300) throw new Error(`${path} responded with ${response.statusCode}: ${text}`);
      latenciesMs.push(performance.now() - startedAtMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return latenciesMs;
}

function percentile(values: readonly number[], fraction: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * fraction)] ?? Number.NaN;
}

export const growth: Bench = {
  name: "growth",
  title: `one account of 100,000 with a million rows, beside one page of rows, ${CONNECTIONS} connections`,
  unit: "requests",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const latencies = new Map<string, number[]>();
      const services = await Promise.all(
        Object.entries(SIZES).map(async ([size, rows]) => {
          const service = await openService(resources, postgresqlUrl ?? "", 1, ENV);
          await fill(service, rows);
          const pool = resources.add(new Pool(service.baseUrl, { connections: CONNECTIONS }), (open) => open.close());
          return { size, service, pool };
        }),
      );
      // Both sizes of a request follow each other: a disturbance of the machine then affects both.
      const subjects: Subject[] = Object.entries(REQUESTS).flatMap(([request, target]) =>
        services.map(({ size, service, pool }) => {
          const name = `${request}, ${size}`;
          return {
            name,
            process: service.process,
            async run(durationMs) {
              const round = await sendRequests(pool, service.tokenHeaders[0] ?? {}, target, durationMs);
              latencies.set(name, round);
              return (round.length * 1_000) / durationMs;
            },
          };
        }),
      );
      const names = Object.keys(REQUESTS);
      return {
        subjects,
        comparisons: names.map((name) => ({
          subject: `${name}, large`,
          against: `${name}, small`,
          aim: 1 / MAX_P99_RATIO,
        })),
        notes: () =>
          names.map((name) => {
            const [p50, p99] = [0.5, 0.99].map((fraction) => {
              const [small = 0, large = 0] = ["small", "large"].map((size) =>
                percentile(latencies.get(`${name}, ${size}`) ?? [], fraction),
              );
              return {
                ratio: large / small,
                text: `${small.toFixed(1)} → ${large.toFixed(1)} ms (${(large / small).toFixed(2)})`,
              };
            });
            const verdict = (p99?.ratio ?? 0) <= MAX_P99_RATIO ? "met" : "MISSED";
            return `${name}: p50 ${p50?.text}, p99 ${p99?.text}, aim ${MAX_P99_RATIO}: ${verdict}`;
          }),
        close: resources.close,
      };
    }),
};
