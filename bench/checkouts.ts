/** Orders driven by one checkout worker at a shop of the sandbox, from the dispatch to the shop's confirmation. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openDatabase } from "../src/platform/database/connection.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "../test/checkout/dispatch/buyer.ts";
import { WORKER_TOKEN } from "../test/checkout/orders/worker.ts";
import { startWorkerProcess } from "../test/support/worker-process.ts";
import type { Bench } from "./harness/bench.ts";
import { memoryBytesOf } from "./harness/memory.ts";
import { openAll } from "./harness/opened.ts";
import { query } from "./harness/postgresql.ts";
import { openService } from "./harness/service.ts";

const CONCURRENCY = 2;
const ORDERS_A_ROUND = 8;
const CAPS = { perOrderMaxMinor: 5_000, dailyMaxMinor: 1_000_000_000, monthlyMaxMinor: 1_000_000_000 };
const ENV = { WORKER_TOKEN, CARD_SECURITY_CODE: "keep", CHECKOUT_TIMEOUT_MS: "900000" };
const LOOK_AGAIN_MS = 100;

export const checkouts: Bench = {
  name: "checkouts",
  title: `orders placed and driven to their confirmation by one worker, ${CONCURRENCY} at once; Chromium beside it`,
  unit: "orders",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const service = await openService(opened, postgresqlUrl ?? "", 1, ENV);
      const { baseUrl, databaseUrl } = service;
      const dataDir = opened.add(await mkdtemp(join(tmpdir(), "satchel-bench-")), (path) =>
        rm(path, { recursive: true }),
      );
      const db = opened.add(await openDatabase({ databaseUrl, dataDir }), (database) => database.close());
      const buyer = await openBuyer({ baseUrl, deps: { db } });
      await buyer.signPolicy(CAPS);
      const order = await cartOf(
        buyer,
        databaseUrl,
        service.sandbox.stores.find(({ name }) => name === "harbour")?.url ?? "",
      );
      const worker = opened.add(startWorkerProcess(baseUrl, { WORKER_CONCURRENCY: String(CONCURRENCY) }), (one) =>
        one.stop(),
      );
      const totals = { orders: 0, seconds: 0 };
      const memory = { idleBytes: 0, mostBytes: 0 };
      let words = 0;
      const placeAll = async () => {
        const said = () => ({
          user_confirmation_text: `Yes (${++words})`,
          user_approved_at_iso: new Date().toISOString(),
        });
        const answers = await Promise.all(
          Array.from({ length: ORDERS_A_ROUND }, () => buyer.dispatch({ ...order, ...said() })),
        );
        const ids = answers.map(({ json }) => json.order_id as string);
        for (let left = ids.length; left > 0; await after(LOOK_AGAIN_MS)) {
          memory.mostBytes = Math.max(memory.mostBytes, memoryBytesOf(worker.pid) ?? 0);
          const rows = await query<{ status: string }>(
            databaseUrl,
            "SELECT status FROM checkout_orders WHERE id = ANY($1)",
            [ids],
          );
          left = rows.filter(({ status }) => status === "pending" || status === "dispatched").length;
          const lost = rows.find(({ status }) => !/^(?:pending|dispatched|succeeded)$/.test(status));
          if (lost) throw new Error(`An order ended as ${lost.status}.`);
        }
      };
      await placeAll();
      memory.idleBytes = memoryBytesOf(worker.pid) ?? 0;
      memory.mostBytes = 0;
      return {
        subjects: [
          {
            name: "one checkout worker",
            process: service.process,
            async run(durationMs) {
              const startedMs = performance.now();
              let orders = 0;
              for (; performance.now() - startedMs < durationMs; orders += ORDERS_A_ROUND) await placeAll();
              const seconds = (performance.now() - startedMs) / 1_000;
              totals.orders += orders;
              totals.seconds += seconds;
              return orders / seconds;
            },
          },
        ],
        comparisons: [],
        notes: () => {
          const perMinute = ((60 * totals.orders) / totals.seconds).toFixed(1);
          const megabytes = (bytes: number) => Math.round(bytes / 1e6);
          const each = megabytes((memory.mostBytes - memory.idleBytes) / CONCURRENCY);
          const most = `${megabytes(memory.mostBytes)} MB at most with ${CONCURRENCY} running, browser included`;
          return [
            `${perMinute} orders a worker-minute; ${megabytes(memory.idleBytes)} MB idle, ${most}: ${each} MB a running checkout`,
          ];
        },
        close: opened.close,
      };
    }),
};

/** Two pairs of socks, delivered to the cardholder. */
async function cartOf(buyer: Buyer, databaseUrl: string, shopUrl: string) {
  const domain = new URL(shopUrl).host;
  const [merchant] = await query<{ id: string }>(databaseUrl, "SELECT id FROM merchants WHERE domain = $1", [domain]);
  const cart = { merchant_id: merchant?.id, items: [{ sku: SOCKS, quantity: 2 }] };
  const { json } = await buyer.quote(cart);
  const standard = json.fulfillment_options.find(({ title }: { title: string }) => title === "Standard");
  return { ...cart, fulfillment_option_id: standard?.id, amount_minor: SOCKS_MINOR };
}
