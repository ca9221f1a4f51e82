/**
 * `npm run bench [name…] [-- --json] [--rounds=3] [--seconds=2] [--against=<folder>]`: measures Satchel beside named baselines, in
 * interleaved rounds, and prints medians, ratios and aims. With `--against`, the service of another checkout is measured too. The
 * exit code is 0 if an aim is missed.
 */
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkouts } from "./checkouts.ts";
import { fanout } from "./fanout.ts";
import { gateway } from "./gateway.ts";
import { graphql } from "./graphql.ts";
import { growth } from "./growth.ts";
import { measure } from "./harness/measure.ts";
import { openWithOtherCheckout } from "./harness/other-checkout.ts";
import { findPostgresql, readDurabilitySettings } from "./harness/postgresql.ts";
import { type BenchReport, formatTable } from "./harness/table.ts";
import { mailIn } from "./mail-in.ts";
import { mcp } from "./mcp.ts";
import { oauth } from "./oauth.ts";
import { orderEvents } from "./order-events.ts";
import { paidFetch } from "./paid-fetch.ts";
import { quotes } from "./quotes.ts";
import { rest } from "./rest.ts";
import { search } from "./search.ts";
import { signPayment } from "./sign-payment.ts";

const BENCHES = [
  graphql,
  rest,
  mcp,
  oauth,
  signPayment,
  paidFetch,
  gateway,
  fanout,
  mailIn,
  quotes,
  orderEvents,
  checkouts,
  search,
  growth,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "2" },
    against: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown benchmarks: ${unknown.join(", ")}. Nothing was measured. Valid names: ${BENCHES.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(1);
}

const report = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
};
const machine = await describeMachine();
const { postgresqlUrl } = machine;
if (!values.json) process.stdout.write(`${machine.text}\n\n`);
const reports: BenchReport[] = [];
for (const bench of BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  if (bench.needsPostgresql && postgresqlUrl === null) {
    const skipped = ["needs PostgreSQL: set DATABASE_URL, or start a server on 127.0.0.1:5432"];
    reports.push({ bench, measured: [], judged: [], skipped });
    continue;
  }
  report(`${bench.name}: starting`);
  const against = values.against === undefined ? null : resolve(values.against);
  const open = await (against === null
    ? bench.open({ postgresqlUrl })
    : openWithOtherCheckout(bench, { postgresqlUrl }, against));
  // An interrupt also drops the databases and stops the processes.
  let isInterrupted = false;
  const onInterrupt = () => {
    isInterrupted = true;
    open.close().finally(() => process.exit(130));
  };
  process.once("SIGINT", onInterrupt);
  try {
    const rounds = { rounds: Number(values.rounds), durationMs: Number(values.seconds) * 1_000 };
    const figures = await measure(open, { ...rounds, report: (text) => report(`${bench.name}: ${text}`) });
    reports.push({ bench, ...figures, skipped: open.skipped ?? [], notes: open.notes?.() ?? [] });
  } catch (error) {
    // After an interrupt, the round fails because its programs are being stopped. `onInterrupt` exits.
    if (!isInterrupted) throw error;
    await new Promise(() => {});
  } finally {
    report(`${bench.name}: cleaning up`);
    process.off("SIGINT", onInterrupt);
    await open.close();
  }
}
report("");
process.stdout.write(
  values.json ? `${JSON.stringify({ machine: machine.text, reports }, null, 2)}\n` : formatTable(reports),
);

async function describeMachine() {
  const postgresqlUrl = await findPostgresql();
  const processors = cpus();
  const database = postgresqlUrl ? `PostgreSQL: ${await readDurabilitySettings(postgresqlUrl)}` : "no PostgreSQL";
  const text = `${processors.length} × ${processors[0]?.model.trim() ?? "CPU"}, Node ${process.version}\n${database}`;
  return { postgresqlUrl, text };
}
