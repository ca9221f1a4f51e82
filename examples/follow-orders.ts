/**
 * Prints every status of the account's orders, and resumes after a lost connection without missing one.
 *
 * Run: node examples/follow-orders.ts
 *
 * Start it before an order is placed: without a cursor, updates begin now. SATCHEL_URL and SATCHEL_TOKEN name the service and an
 * API token; without them it uses the sandbox that `npm start` runs in this folder. Ctrl+C ends it.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "graphql-ws";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url: string = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;

const QUERY = `subscription ($after: String) {
  orderUpdated(after: $after) { cursor order { orderId status amount { amount currency } errorMessage } }
}`;
const RECONNECT_MS = 1_000;

interface Update {
  cursor: string;
  order: {
    orderId: string;
    status: string;
    amount: { amount: string; currency: string } | null;
    errorMessage: string | null;
  };
}

// Node has a WebSocket of its own. This program reconnects itself, since each connection needs the latest cursor.
const client = createClient({
  url: `${url.replace(/^http/, "ws")}/graphql`,
  connectionParams: { "X-Service-Token": token },
  retryAttempts: 0,
});

/** The last update that was processed. Store it, and a restarted program resumes from there as well. */
let after: string | null = null;

async function follow(): Promise<void> {
  for await (const { data, errors } of client.iterate<{ orderUpdated: Update }>({
    query: QUERY,
    variables: { after },
  })) {
    // SUBSCRIPTION_INTERRUPTED: updates may be missing, so resume.
    if (errors) throw new Error(errors[0]?.message);
    if (!data) continue;
    const { cursor, order } = data.orderUpdated;
    // An update from just before the interruption may be repeated.
    if (cursor === after) continue;
    after = cursor;
    console.log(order.orderId, order.status, order.amount?.amount, order.amount?.currency, order.errorMessage ?? "");
  }
}

for (;;) {
  await follow().catch((error: unknown) => {
    console.error("Interrupted:", error instanceof Error ? error.message : "the connection was closed");
  });
  await pause(RECONNECT_MS);
}
