/**
 * A minimal proxy that pays for authenticated callers within their budgets. It reads the caller by the hash of the token, and the
 * price from the 402 response of the target. It commits the debit of the budget and a ledger row, and signs the transfer with a key
 * in memory. Then it sends the request again and logs it. Concurrent look-ups share a statement, as do concurrent debits. It has no
 * address checks, network selection, sealed keys, retries, chain reads, metrics or GraphQL. Argument: DATABASE_URL.
 */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { fastify, LogController } from "fastify";
import pg from "pg";
import secp256k1 from "secp256k1";
import { Pool } from "undici";
import { privateKeyToAddress } from "viem/accounts";
import { eip712Digest } from "../../src/payments/x402/eip712.ts";
import { createBatchLoader } from "../../src/platform/concurrency/batch-loader.ts";
import { createMinimalCallers } from "../harness/minimal-callers.ts";
import type { createOffer } from "../harness/offer.ts";
import { serveParent } from "../harness/serve-parent.ts";

const BATCH_OPTIONS = { maxBatch: 200, maxConcurrent: 2 };
const BACKDATED_SECONDS = 600;
const DEBIT = {
  name: "debit",
  text: `WITH asked AS (
      SELECT * FROM json_to_recordset($1::json) AS a (nonce text, account_id int, amount bigint, "authorization" json)
    ), taken AS (
      UPDATE bare_budgets b SET used = used + due.amount
      FROM (SELECT account_id, sum(amount) AS amount FROM asked GROUP BY account_id) AS due
      WHERE b.account_id = due.account_id AND b.used + due.amount <= b.most RETURNING b.account_id
    )
    INSERT INTO bare_payments (nonce, account_id, amount, "authorization")
    SELECT nonce, account_id, amount, "authorization" FROM asked JOIN taken USING (account_id) RETURNING nonce`,
};

const database = new pg.Pool({ connectionString: process.argv[2], max: 16 });
const { tokens, findAccountId } = await createMinimalCallers(database);
await database.query(`
  CREATE TABLE bare_budgets (account_id int PRIMARY KEY, most bigint NOT NULL, used bigint NOT NULL);
  CREATE TABLE bare_payments (nonce text PRIMARY KEY, account_id int NOT NULL, amount bigint NOT NULL,
    "authorization" json NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO bare_budgets SELECT account_id, 1000000000000000, 0 FROM bare_tokens`);

interface Debit {
  readonly account_id: number;
  readonly amount: string;
  readonly nonce: string;
  readonly authorization: object;
}

/** Returns true for a debit within the budget, after the commit. */
const debits = createBatchLoader<Debit, boolean>(async (batch) => {
  const { rows } = await database.query({ ...DEBIT, values: [JSON.stringify(batch)] });
  const acceptedNonces = new Set(rows.map(({ nonce }) => nonce));
  return batch.map(({ nonce }) => acceptedNonces.has(nonce));
}, BATCH_OPTIONS);

const key = randomBytes(32);
const from = privateKeyToAddress(`0x${key.toString("hex")}`);
const targets = new Map<string, Pool>();

function openTarget(origin: string): Pool {
  const cached = targets.get(origin);
  if (cached) return cached;
  const target = new Pool(origin, { connections: 64 });
  targets.set(origin, target);
  return target;
}

/**
 * Returns the payment header for the required amount, debited from the budget of the caller.
 * @throws if the budget is exceeded
 */
async function pay(accountId: number, paymentRequired: string): Promise<string> {
  const { x402Version, resource, accepts } = JSON.parse(atob(paymentRequired)) as ReturnType<typeof createOffer>;
  const [accepted] = accepts;
  if (!accepted) throw new Error("The 402 response has no payment requirements. No payment was made.");
  const now = Math.floor(Date.now() / 1_000);
  const transfer = {
    from,
    to: accepted.payTo as `0x${string}`,
    value: accepted.amount,
    validAfter: String(now - BACKDATED_SECONDS),
    validBefore: String(now + accepted.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString("hex")}` as const,
  };
  const { nonce, value: amount } = transfer;
  if (!(await debits.load({ account_id: accountId, amount, nonce, authorization: transfer }))) {
    throw new Error("Budget exceeded. No payment was made.");
  }
  const digest = eip712Digest({
    ...transfer,
    kind: "eip3009",
    chainId: Number(accepted.network.split(":")[1]),
    asset: accepted.asset as `0x${string}`,
    domain: accepted.extra,
    valueAtomic: amount,
  });
  const { signature, recid } = secp256k1.ecdsaSign(digest, key);
  const payload = {
    signature: `0x${Buffer.from(signature).toString("hex")}${recid === 0 ? "1b" : "1c"}`,
    authorization: transfer,
  };
  return btoa(JSON.stringify({ x402Version, resource, accepted, payload }));
}

const app = fastify({ logger: true, logController: new LogController({ disableRequestLogging: true }) });
app.post("/api/x402/fetch", async (request, reply) => {
  const accountId = await findAccountId(request.headers["x-service-token"]);
  const { origin, pathname: path } = new URL((request.query as { readonly url: string }).url);
  const target = openTarget(origin);
  let response = await target.request({ path, method: "GET" });
  if (response.statusCode === 402) {
    await response.body.dump();
    const headers = { "payment-signature": await pay(accountId, String(response.headers["payment-required"])) };
    response = await target.request({ path, method: "GET", headers });
  }
  request.log.info({ status: response.statusCode }, "request");
  return reply
    .code(response.statusCode)
    .type(String(response.headers["content-type"]))
    .send(Buffer.from(await response.body.arrayBuffer()));
});
await app.listen({ port: 0, host: "127.0.0.1" });
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
serveParent({ baseUrl, tokens }, { close: () => database.end() });
