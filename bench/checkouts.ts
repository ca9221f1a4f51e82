/**
 * Orders completed by one checkout worker at a sandbox store, from the dispatch to the confirmation of the store.
 * Measured with the packaged Chromium, and with the installed one where there is one (`CHROMIUM_PATH`).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openDatabase } from "../src/platform/database/connection.ts";
import { findInstalledChromium } from "../src/worker/browser.ts";
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
const ROUND_MS = 20_000;

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
      let confirmationCount = 0;
      const completeOrders = async (onPoll: () => void) => {
        const createConfirmation = () => ({
          user_confirmation_text: `Yes (${++confirmationCount})`,
          user_approved_at_iso: new Date().toISOString(),
        });
        const responses = await Promise.all(
          Array.from({ length: ORDERS_PER_ROUND }, () => buyer.dispatch({ ...order, ...createConfirmation() })),
        );
        const ids = responses.map(({ json }) => json.order_id as string);
        for (let unfinished = ids.length; unfinished > 0; await after(POLL_INTERVAL_MS)) {
          onPoll();
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
      const browsers = listBrowsers().map(([browser, chromiumPath]) => ({
        ...{ name: `one worker, ${browser} Chromium`, chromiumPath },
        ...{ orders: 0, seconds: 0, idleBytes: 0, maxBytes: 0 },
      }));
      const completeOrdersWith = async (browser: (typeof browsers)[number], durationMs: number) => {
        // At most half of a worker's slots drive orders of one account.
        const slots = { WORKER_CONCURRENCY: String(2 * CONCURRENCY), CHROMIUM_PATH: browser.chromiumPath };
        const worker = resources.add(startWorkerProcess(baseUrl, slots), (child) => child.stop());
        try {
          await completeOrders(() => {});
          browser.idleBytes = readMemoryBytes(worker.pid) ?? 0;
          const readMaximum = () => {
            browser.maxBytes = Math.max(browser.maxBytes, readMemoryBytes(worker.pid) ?? 0);
          };
          const startedMs = performance.now();
          let orders = 0;
          for (; performance.now() - startedMs < durationMs; orders += ORDERS_PER_ROUND)
            await completeOrders(readMaximum);
          const seconds = (performance.now() - startedMs) / 1_000;
          browser.orders += orders;
          browser.seconds += seconds;
          return orders / seconds;
        } finally {
          await worker.stop();
        }
      };
      const [packaged, installed] = browsers;
      return {
        subjects: browsers.map((browser) => ({
          name: browser.name,
          process: service.process,
          durationMs: ROUND_MS,
          run: (durationMs) => completeOrdersWith(browser, durationMs),
        })),
        comparisons: packaged && installed ? [{ subject: installed.name, against: packaged.name }] : [],
        skipped: installed
          ? []
          : ["no Chromium is installed: set CHROMIUM_PATH to compare one with the packaged Chromium"],
        notes: () => browsers.map(describe),
        close: resources.close,
      };
    }),
};

/** Returns the packaged Chromium and the installed one, each with its value of `CHROMIUM_PATH`. */
function listBrowsers(): [string, string][] {
  const path = process.env["CHROMIUM_PATH"] ?? findInstalledChromium();
  return [["packaged", "packaged"], ...(path ? [["installed", path] satisfies [string, string]] : [])];
}

interface Totals {
  readonly name: string;
  readonly orders: number;
  readonly seconds: number;
  readonly idleBytes: number;
  readonly maxBytes: number;
}

function describe({ name, orders, seconds, idleBytes, maxBytes }: Totals): string {
  const perMinute = ((60 * orders) / seconds).toFixed(1);
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const peak = `${megabytes(maxBytes)} MB at most with ${CONCURRENCY} running, browser included`;
  const perCheckout = megabytes((maxBytes - idleBytes) / CONCURRENCY);
  return `${name}: ${perMinute} orders per minute; ${megabytes(idleBytes)} MB idle, ${peak}: ${perCheckout} MB per running checkout`;
}

/** Quotes two pairs of socks with standard delivery to the cardholder. @returns the body of the order, without confirmation */
async function quoteCart(buyer: Buyer, databaseUrl: string, storeUrl: string) {
  const domain = new URL(storeUrl).host;
  const [merchant] = await query<{ id: string }>(databaseUrl, "SELECT id FROM merchants WHERE domain = $1", [domain]);
  const cart = { merchant_id: merchant?.id, items: [{ sku: SOCKS, quantity: 2 }] };
  const { json } = await buyer.quote(cart);
  const standard = json.fulfillment_options.find(({ title }: { title: string }) => title === "Standard");
  return { ...cart, fulfillment_option_id: standard?.id, amount_minor: SOCKS_MINOR };
}
