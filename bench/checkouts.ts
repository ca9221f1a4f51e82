/** Orders completed by one checkout worker at a sandbox store, from the dispatch to the confirmation of the store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openDatabase } from "../src/platform/database/connection.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "../test/checkout/dispatch/buyer.ts";
import { WORKER_TOKEN } from "../test/checkout/orders/worker-client.ts";
import { startWorkerProcess } from "../test/support/worker-process.ts";
import type { Bench } from "./harness/bench.ts";
import { readMemoryBytes } from "./harness/memory.ts";
import { query } from "./harness/postgresql.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const CONCURRENCY = 2;
const ORDERS_PER_ROUND = 8;
const CAPS = { perOrderMaxMinor: 5_000, dailyMaxMinor: 1_000_000_000, monthlyMaxMinor: 1_000_000_000 };
const ENV = { WORKER_TOKEN, CARD_SECURITY_CODE: "keep", CHECKOUT_TIMEOUT_MS: "900000" };
const POLL_INTERVAL_MS = 100;

export const checkouts: Bench = {
  name: "checkouts",
  title: `orders completed by one worker, ${CONCURRENCY} concurrently; its Chromium on the same machine`,
  unit: "orders",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", 1, ENV);
      const { baseUrl, databaseUrl } = service;
      const dataDir = resources.add(await mkdtemp(join(tmpdir(), "satchel-bench-")), (path) =>
        rm(path, { recursive: true }),
      );
      const db = resources.add(await openDatabase({ databaseUrl, dataDir }), (database) => database.close());
      const buyer = await openBuyer({ baseUrl, deps: { db } });
      await buyer.signPolicy(CAPS);
      const order = await quoteCart(
        buyer,
        databaseUrl,
        service.sandbox.stores.find(({ name }) => name === "harbour")?.url ?? "",
      );
      // At most half of a worker's slots drive orders of one account.
      const slots = { WORKER_CONCURRENCY: String(2 * CONCURRENCY) };
      const worker = resources.add(startWorkerProcess(baseUrl, slots), (child) => child.stop());
      const totals = { orders: 0, seconds: 0 };
      const memory = { idleBytes: 0, maxBytes: 0 };
      let confirmationCount = 0;
      const completeOrders = async () => {
        const createConfirmation = () => ({
          user_confirmation_text: `Yes (${++confirmationCount})`,
          user_approved_at_iso: new Date().toISOString(),
        });
        const responses = await Promise.all(
          Array.from({ length: ORDERS_PER_ROUND }, () => buyer.dispatch({ ...order, ...createConfirmation() })),
        );
        const ids = responses.map(({ json }) => json.order_id as string);
        for (let unfinished = ids.length; unfinished > 0; await after(POLL_INTERVAL_MS)) {
          memory.maxBytes = Math.max(memory.maxBytes, readMemoryBytes(worker.pid) ?? 0);
          const rows = await query<{ status: string }>(
            databaseUrl,
            "SELECT status FROM checkout_orders WHERE id = ANY($1)",
            [ids],
          );
          unfinished = rows.filter(({ status }) => status === "pending" || status === "dispatched").length;
          const failed = rows.find(({ status }) => !/^(?:pending|dispatched|succeeded)$/.test(status));
          if (failed) throw new Error(`An order failed with status ${failed.status}. The round failed.`);
        }
      };
      await completeOrders();
      memory.idleBytes = readMemoryBytes(worker.pid) ?? 0;
      memory.maxBytes = 0;
      return {
        subjects: [
          {
            name: "one checkout worker",
            process: service.process,
            async run(durationMs) {
              const startedMs = performance.now();
              let orders = 0;
              for (; performance.now() - startedMs < durationMs; orders += ORDERS_PER_ROUND) await completeOrders();
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
          const perCheckout = megabytes((memory.maxBytes - memory.idleBytes) / CONCURRENCY);
          const peak = `${megabytes(memory.maxBytes)} MB at most with ${CONCURRENCY} running, browser included`;
          return [
            `${perMinute} orders per minute by one worker; ${megabytes(memory.idleBytes)} MB idle, ${peak}: ${perCheckout} MB per running checkout`,
          ];
        },
        close: resources.close,
      };
    }),
};

/** Quotes two pairs of socks with standard delivery to the cardholder. @returns the body of the order, without confirmation */
async function quoteCart(buyer: Buyer, databaseUrl: string, storeUrl: string) {
  const domain = new URL(storeUrl).host;
  const [merchant] = await query<{ id: string }>(databaseUrl, "SELECT id FROM merchants WHERE domain = $1", [domain]);
  const cart = { merchant_id: merchant?.id, items: [{ sku: SOCKS, quantity: 2 }] };
  const { json } = await buyer.quote(cart);
  const standard = json.fulfillment_options.find(({ title }: { title: string }) => title === "Standard");
  return { ...cart, fulfillment_option_id: standard?.id, amount_minor: SOCKS_MINOR };
}
