/**
 * The least that a proxy can do which pays for those it knows and never more than they allow: the caller looked up by their
 * token's hash, the price read from the target's 402, the amount taken from their budget and a row of the ledger committed, the
 * transfer signed with a key in memory, the request sent again, and a line of log. The look-ups of a moment go together, and so do
 * the debits. No guard on addresses, choice of networks, sealed keys, retries, look at the chain, measurements or GraphQL.
 * DATABASE_URL on the command line.
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
import { answerParent } from "../harness/answer-parent.ts";
import { createBareCallers } from "../harness/bare-callers.ts";
import type { offerFor } from "../harness/offer.ts";

const GATHER = { maxBatch: 200, maxConcurrent: 2 };
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
const { tokens, accountOf } = await createBareCallers(database);
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

/** Answers whether the budget allows it, once that is on disk. */
const debits = createBatchLoader<Debit, boolean>(async (batch) => {
  const { rows } = await database.query({ ...DEBIT, values: [JSON.stringify(batch)] });
  const taken = new Set(rows.map(({ nonce }) => nonce));
  return batch.map(({ nonce }) => taken.has(nonce));
}, GATHER);

const key = randomBytes(32);
const from = privateKeyToAddress(`0x${key.toString("hex")}`);
const targets = new Map<string, Pool>();

function targetAt(origin: string): Pool {
  const known = targets.get(origin);
  if (known) return known;
  const target = new Pool(origin, { connections: 64 });
  targets.set(origin, target);
  return target;
}

/** The header that pays what is asked for, from the caller's budget. @throws when that does not allow it */
async function pay(accountId: number, paymentRequired: string): Promise<string> {
  const { x402Version, resource, accepts } = JSON.parse(atob(paymentRequired)) as ReturnType<typeof offerFor>;
  const [accepted] = accepts;
  if (!accepted) throw new Error("Nothing is accepted.");
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
    throw new Error("The budget does not allow it.");
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
  const accountId = await accountOf(request.headers["x-service-token"]);
  const { origin, pathname: path } = new URL((request.query as { readonly url: string }).url);
  const target = targetAt(origin);
  let answer = await target.request({ path, method: "GET" });
  if (answer.statusCode === 402) {
    await answer.body.dump();
    const headers = { "payment-signature": await pay(accountId, String(answer.headers["payment-required"])) };
    answer = await target.request({ path, method: "GET", headers });
  }
  request.log.info({ status: answer.statusCode }, "request");
  return reply
    .code(answer.statusCode)
    .type(String(answer.headers["content-type"]))
    .send(Buffer.from(await answer.body.arrayBuffer()));
});
await app.listen({ port: 0, host: "127.0.0.1" });
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
answerParent({ baseUrl, tokens }, { close: () => database.end() });
