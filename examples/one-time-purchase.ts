/**
 * Permits an agent one payment: creates a one-time purchase token, pays with it, and shows that a second purchase is rejected.
 *
 * Run: node examples/one-time-purchase.ts
 *
 * LOGIN_TOKEN is a login identity token, which proves that the account owner signed in; arguments are the merchant's URL and the
 * network. Without SATCHEL_URL it uses the sandbox that `npm start` runs in this folder.
 */
import { readFileSync } from "node:fs";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const loginToken = process.env["LOGIN_TOKEN"] ?? sandbox.loginToken;
const merchant = process.argv[2] ?? `${sandbox.shopUrl}/v1/weather`;
const network = process.argv[3] ?? "base-sepolia";

// In the program that signed the account owner in.
const created = await fetch(`${url}/api/purchase-token/create`, {
  method: "POST",
  headers: { authorization: `Bearer ${loginToken}`, "content-type": "application/json" },
  body: JSON.stringify({ merchant_url: merchant, network, max_amount_usd: 0.25 }),
});
if (!created.ok) throw new Error(await created.text());
const { token, expires_at } = await created.json();
console.log(`A token for one payment until ${expires_at}`);

// In the agent, which has only this token.
async function buy(idempotencyKey: string): Promise<Response> {
  return await fetch(`${url}/api/x402/fetch?${new URLSearchParams({ url: merchant })}`, {
    method: "POST",
    headers: { "X-Service-Token": token, "Idempotency-Key": idempotencyKey },
  });
}

const first = await buy("purchase-1");
console.log(`First purchase: ${first.status}, ${first.headers.get("x-satchel-amount-paid")} USD`);
console.log(await first.text());

// Repeating the key returns the stored response. Another key would be another payment.
const repeated = await buy("purchase-1");
console.log(`Repeated: ${repeated.status}`);
const second = await buy("purchase-2");
const { error } = await second.json();
console.log(`Second purchase: ${second.status} ${error}`);
