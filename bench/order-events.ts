/** Steps that a worker tells of orders, each committed, to 5,000 subscribers of those orders; one order of each account. */
import { Pool } from "undici";
import type { Bench } from "./harness/bench.ts";
import { openAll } from "./harness/opened.ts";
import { query } from "./harness/postgresql.ts";
import { type BenchService, openService } from "./harness/service.ts";
import { openSubscriber } from "./harness/subscriber.ts";

const ACCOUNTS = 100;
const SUBSCRIBERS_EACH = 50;
const WORKER_TOKEN = "worker-token-of-the-bench-0123456789abcdef";
const ENV = { WORKER_TOKEN, CHECKOUT_TIMEOUT_MS: "900000", TRUST_PROXY: "127.0.0.1" };
const EVENTS =
  "subscription { ordersUpdated { cursor order { orderId status personNeededFor amountMinor currency } } }";
const MOST_STEPS = 1_000;
const ROUND_TIMEOUT_MS = 30_000;

export const orderEvents: Bench = {
  name: "order-events",
  title: `a step of an order, committed, to ${SUBSCRIBERS_EACH} subscribers of each of ${ACCOUNTS} accounts over WebSocket`,
  unit: "messages",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const service = await openService(opened, postgresqlUrl ?? "", ACCOUNTS, ENV);
      const leases = await leaseOrders(service);
      const audience = await openAudience(service);
      const worker = opened.add(new Pool(service.baseUrl, { connections: 16 }), (pool) => pool.close());
      let seq = 0;
      const tellAll = async () => {
        seq = (seq % MOST_STEPS) + 1;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const timer = setTimeout(() => reject(new Error("Not every event arrived.")), ROUND_TIMEOUT_MS);
        audience.expect(ACCOUNTS * SUBSCRIBERS_EACH, resolve);
        await Promise.all([promise, ...leases.map((lease) => tellStep(worker, lease, seq))]);
        clearTimeout(timer);
      };
      return {
        subjects: [
          {
            name: "orders' events",
            process: service.process,
            async run(durationMs) {
              const startedMs = performance.now();
              let rounds = 0;
              for (; performance.now() - startedMs < durationMs; rounds += 1) await tellAll();
              return (rounds * ACCOUNTS * SUBSCRIBERS_EACH) / ((performance.now() - startedMs) / 1_000);
            },
          },
        ],
        comparisons: [],
        close: opened.close,
      };
    }),
};

/** An order on its way for each account. @returns their leases */
async function leaseOrders({ databaseUrl, process: { hello } }: BenchService): Promise<string[]> {
  const leases = hello.accounts.map((_account, index) => `wjb_bench_${index}`);
  await query(
    databaseUrl,
    `INSERT INTO checkout_orders (id, account_id, credential_id, kind, status, dispatch_sha256, request, amount_minor, currency,
       worker_job_id, worker_url, leased_until, started_at)
     SELECT 'ord_bench_' || n, a::uuid, 'bench', 'purchase', 'dispatched', decode(md5(n::text), 'hex'), '{"items":[]}', 2895, 'GBP',
       'wjb_bench_' || n - 1, 'http://127.0.0.1:9', now() + interval '1 hour', now()
     FROM unnest($1::text[]) WITH ORDINALITY AS one (a, n)`,
    [hello.accounts.map(({ accountId }) => accountId)],
  );
  return leases;
}

async function tellStep(worker: Pool, lease: string, seq: number): Promise<void> {
  const step = { seq, at: new Date().toISOString(), action: "fill", outcome: "done" };
  const { statusCode, body } = await worker.request({
    method: "POST",
    path: `/internal/worker/leases/${lease}/steps`,
    headers: { "content-type": "application/json", authorization: `Bearer ${WORKER_TOKEN}` },
    body: JSON.stringify({ steps: [step] }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`A step was answered with ${statusCode}: ${text}`);
}

/** Each account's subscribers come from an address of their own. The sockets end with the server. */
async function openAudience({ baseUrl, tokenHeaders }: BenchService) {
  const audience = { received: 0, wanted: 0, done: () => {} };
  const onMessage = () => {
    if (++audience.received === audience.wanted) audience.done();
  };
  const port = Number(new URL(baseUrl).port);
  for (const [index, token] of tokenHeaders.entries()) {
    const headers = { ...token, "x-forwarded-for": `198.18.0.${index}` };
    await Promise.all(Array.from({ length: SUBSCRIBERS_EACH }, () => openSubscriber(port, EVENTS, onMessage, headers)));
  }
  return {
    expect(wanted: number, done: () => void) {
      Object.assign(audience, { received: 0, wanted, done });
    },
  };
}
