/**
 * Pays for a resource through the fetch proxy: at most 0.05 USDC, and only once regardless of retries.
 *
 * Run: node examples/pay-over-rest.ts
 *
 * An argument is the resource's URL. SATCHEL_URL and SATCHEL_TOKEN name the service and an API token; without them it uses the
 * sandbox that `npm start` runs in this folder.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;
const resource = process.argv[2] ?? `${sandbox.shopUrl}/v1/weather`;

const MAX_ATOMIC = 50_000; // 0.05 USDC
const MAX_ATTEMPTS = 3;
// One key for each purchase: store it with your order, so a retry after a crash does not pay again.
const idempotencyKey = randomUUID();

async function buy(): Promise<Response> {
  const query = new URLSearchParams({ url: resource, maxValue: String(MAX_ATOMIC) });
  return await fetch(`${url}/api/x402/fetch?${query}`, {
    method: "POST",
    headers: { "X-Service-Token": token, "Idempotency-Key": idempotencyKey },
  });
}

/** Retries after a temporary failure. The key makes it the same purchase. */
async function buyWithRetries(): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await buy();
    if (response.status < 500 || attempt === MAX_ATTEMPTS) return response;
    await pause(attempt * 1_000);
  }
}

const response = await buyWithRetries();
if (!response.ok) {
  // `error` is a code of docs/errors.md if the failure is the service's; otherwise this is the target's own response.
  console.error(response.status, await response.text());
  process.exit(1);
}
console.log(
  `Paid ${response.headers.get("x-satchel-amount-paid")} USD: ${response.headers.get("x-satchel-payment-id")}`,
);
console.log(await response.text());
