// @module-tag postgresql
/**
 * `kill -9` of worker and service at each step. Each charge belongs to an order that succeeded or is unconfirmed. `npm run kills` places 200
 * orders, other runs of this class 14. Requires PostgreSQL, which reports each order's step while the service runs.
 */
import { expect, it, vi } from "vitest";
import { postgresqlUrl } from "../support/servers.ts";
import { findFault, formatKills, runKills } from "./gallery/kills.ts";

vi.setConfig({ testTimeout: 7_200_000 });

const ORDER_COUNT = Number(process.env["KILLED_ORDERS"] ?? 14);

it.skipIf(postgresqlUrl === null)("no order is charged that is not stated to be", async () => {
  const orders = await runKills(ORDER_COUNT, postgresqlUrl ?? "");
  process.stdout.write(`\n${formatKills(orders)}\n`);
  expect(orders).toHaveLength(ORDER_COUNT);
  expect(orders.filter((order) => findFault(order) !== null)).toEqual([]);
  expect(orders.some(({ chargeCount }) => chargeCount > 0)).toBe(true);
});
