/** `npm run demo`: pays for resources on every network, against a running `npm start`. `-- --json` prints one JSON document. */
import { setTimeout as delay } from "node:timers/promises";
import { fetchPaid, graphql, readSandboxFile, type SandboxFile } from "./client.ts";
import { short, table } from "./table.ts";

const RESOURCES = [
  ["/v1/base-sepolia/weather", "version 1, exact"],
  ["/v1/base/weather", "version 1, exact"],
  ["/v1/solana/weather", "version 1, exact"],
  ["/v1/solana-devnet/weather", "version 1, exact"],
  ["/v2/base-sepolia/weather", "version 2, exact"],
  ["/v2/solana/weather", "version 2, exact"],
  ["/v1/upto/base-sepolia?use=3000", "version 1, upto"],
  ["/v2/upto/base?use=3000", "version 2, upto"],
] as const;
/** An `upto` payment settles once its charge is final, or the revocation of its permit. Both need 15 blocks of 2 seconds. */
const SETTLE_DEADLINE_MS = 180_000;

interface LedgerRow {
  transactionId: string;
  status: string;
  network: string;
  scheme: string;
  amountUsd: string;
  paidFromCredit: boolean;
  txHash: string | null;
}

const isJson = process.argv.includes("--json");
const print = (text: string) => void (isJson || process.stdout.write(`${text}\n`));
const file = readSandboxFile(process.env["DATA_DIR"] || ".data");
if (!file) {
  process.stderr.write("Satchel is not running in this folder. Start it with: npm start\n");
  process.exit(1);
}

print("\nOffers of a resource\n");
const offers = await queryOffers(file, "/multi");
print(
  table(
    ["offer", "network", "scheme", "price", ""],
    offers.map((it) => [
      String(it.index),
      it.network ?? "-",
      it.scheme ?? "-",
      it.amountUsd === null ? "-" : `${it.amountUsd} USD`,
      it.chosen ? "chosen" : it.explanation,
    ]),
  ),
);

print("\nPayments on every network and with every scheme\n");
const paid = [];
for (const [path, kind] of RESOURCES) paid.push({ path, kind, ...(await fetchPaid(file, path)) });
print(
  table(
    ["resource", "kind", "status", "up to", "duration"],
    paid.map((it) => [
      it.path,
      it.kind,
      String(it.status),
      it.amountUsd === null ? "-" : `${it.amountUsd} USD`,
      `${it.milliseconds} ms`,
    ]),
  ),
);

print("\nPayment above the token's limit of 0.005 USD per transaction\n");
const rejected = await fetchPaid(file, "/v1/base-sepolia/weather", await newToken(file, "0.005"));
const { error, message } = JSON.parse(rejected.body) as { error: string; message: string };
print(`  ${rejected.status}  ${error}\n       ${message}`);

print("\nWaiting until all payments are settled, up to two minutes…");
const ids = paid.flatMap(({ transactionId }) => transactionId ?? []);
const ledger = await settledLedger(file, ids);
print("\nLedger after settlement\n");
print(
  table(
    ["transaction", "network", "scheme", "charged", "from", "status", "hash"],
    ledger.map((it) => [
      it.transactionId,
      it.network,
      it.scheme,
      `${it.amountUsd} USD`,
      it.paidFromCredit ? "credit" : "wallet",
      it.status,
      short(it.txHash),
    ]),
  ),
);
print("");

if (isJson) process.stdout.write(`${JSON.stringify({ offers, paid, refused: rejected, ledger }, null, 2)}\n`);
const isSuccessful = ledger.length === RESOURCES.length && ledger.every(({ status }) => status === "SETTLED");
process.exitCode = isSuccessful && rejected.status === 402 ? 0 : 1;

async function queryOffers(from: SandboxFile, path: string) {
  const { x402Requirements } = await graphql<{ x402Requirements: { offers: Offer[] } }>(
    from,
    `query Price($url: Url!) { x402Requirements(url: $url) { ... on X402RequirementsSuccess {
       offers { index network scheme amountUsd chosen explanation } } ... on Error { message } } }`,
    { url: `${from.shopUrl}${path}` },
  );
  return x402Requirements.offers;
}

interface Offer {
  index: number;
  network: string | null;
  scheme: string | null;
  amountUsd: string | null;
  chosen: boolean;
  explanation: string;
}

async function newToken(from: SandboxFile, perTransactionLimitUsd: string): Promise<string> {
  const input = {
    name: "Demo: small payments only",
    perTransactionLimitUsd,
    dailyLimitUsd: "1",
    monthlyLimitUsd: "1",
    networks: Object.keys(from.networks),
  };
  const { createApiToken } = await graphql<{ createApiToken: { secret: string } }>(
    from,
    `mutation Create($input: CreateApiTokenInput!) { createApiToken(input: $input) {
       ... on CreateApiTokenSuccess { secret } ... on Error { message } } }`,
    { input },
  );
  return createApiToken.secret;
}

async function settledLedger(from: SandboxFile, ids: readonly string[]): Promise<LedgerRow[]> {
  const deadlineMs = performance.now() + SETTLE_DEADLINE_MS;
  for (;;) {
    const { viewer } = await graphql<{ viewer: { transactions: { edges: { node: LedgerRow }[] } } }>(
      from,
      `{ viewer { transactions(first: 50) { edges { node {
         transactionId status network scheme amountUsd paidFromCredit txHash } } } } }`,
    );
    const rows = viewer.transactions.edges.map(({ node }) => node).filter((it) => ids.includes(it.transactionId));
    const isDone = rows.every(({ status }) => status !== "RESERVED" && status !== "SIGNED");
    if (isDone || performance.now() > deadlineMs) return rows.toReversed();
    await delay(250);
  }
}
