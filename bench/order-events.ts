/** Steps reported by a worker, each committed, to 5,000 WebSocket subscribers. Each account has one order and 50 subscribers. */
import { Pool } from "undici";
import type { Bench } from "./harness/bench.ts";
import { query } from "./harness/postgresql.ts";
import { openResources } from "./harness/resources.ts";
import { type BenchService, openService } from "./harness/service.ts";
import { openSubscriber } from "./harness/subscriber.ts";

const ACCOUNTS = 100;
const SUBSCRIBERS_PER_ACCOUNT = 50;
const WORKER_TOKEN = "worker-token-of-the-bench-0123456789abcdef";
const ENV = { WORKER_TOKEN, CHECKOUT_TIMEOUT_MS: "900000", TRUST_PROXY: "127.0.0.1" };
const EVENTS =
  "subscription { orderUpdated { cursor order { orderId status question { __typename } amount { amountMinor currency } } } }";
const MAX_STEPS = 1_000;
const ROUND_TIMEOUT_MS = 30_000;

export const orderEvents: Bench = {
  name: "order-events",
  title: `order steps, each committed, to ${SUBSCRIBERS_PER_ACCOUNT} WebSocket subscribers of each of ${ACCOUNTS} accounts`,
  unit: "messages",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", ACCOUNTS, ENV);
      const leases = await leaseOrders(service);
      const subscribers = await openSubscribers(service);
      const worker = resources.add(new Pool(service.baseUrl, { connections: 16 }), (pool) => pool.close());
      let seq = 0;
      const reportSteps = async () => {
        seq = (seq % MAX_STEPS) + 1;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const timer = setTimeout(
          () => reject(new Error(`Not every event was received within ${ROUND_TIMEOUT_MS} ms.`)),
          ROUND_TIMEOUT_MS,
        );
        subscribers.expect(ACCOUNTS * SUBSCRIBERS_PER_ACCOUNT, resolve);
        await Promise.all([promise, ...leases.map((lease) => reportStep(worker, lease, seq))]);
        clearTimeout(timer);
      };
      return {
        subjects: [
          {
            name: "order events",
            process: service.process,
            async run(durationMs) {
              const startedMs = performance.now();
              let rounds = 0;
              for (; performance.now() - startedMs < durationMs; rounds += 1) await reportSteps();
              return (rounds * ACCOUNTS * SUBSCRIBERS_PER_ACCOUNT) / ((performance.now() - startedMs) / 1_000);
            },
          },
        ],
        comparisons: [],
        close: resources.close,
      };
    }),
};

/** Inserts a dispatched order with a lease for each account. @returns the lease ids */
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

async function reportStep(worker: Pool, lease: string, seq: number): Promise<void> {
  const step = { seq, at: new Date().toISOString(), action: "fill", outcome: "done" };
  const { statusCode, body } = await worker.request({
    method: "POST",
    path: `/internal/worker/leases/${lease}/steps`,
    headers: { "content-type": "application/json", authorization: `Bearer ${WORKER_TOKEN}` },
    body: JSON.stringify({ steps: [step] }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The service rejected a step with ${statusCode}: ${text}`);
}

/** Connects the subscribers, with one client address per account. Their sockets close when the server stops. */
async function openSubscribers({ baseUrl, tokenHeaders }: BenchService) {
  const subscribers = { received: 0, expected: 0, onComplete: () => {} };
  const onMessage = () => {
    if (++subscribers.received === subscribers.expected) subscribers.onComplete();
  };
  const port = Number(new URL(baseUrl).port);
  for (const [index, token] of tokenHeaders.entries()) {
    const headers = { ...token, "x-forwarded-for": `198.18.0.${index}` };
    await Promise.all(
      Array.from({ length: SUBSCRIBERS_PER_ACCOUNT }, () => openSubscriber(port, EVENTS, onMessage, headers)),
    );
  }
  return {
    expect(expected: number, onComplete: () => void) {
      Object.assign(subscribers, { received: 0, expected, onComplete });
    },
  };
}
