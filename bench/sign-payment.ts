/** Durable signed payments over HTTP, beside a minimal durable debit and the reference client. */
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { signPayments } from "./harness/payments.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const ACCOUNTS = 128;
/** HTTP connections, one per account. Both programs have 16 connections to PostgreSQL. */
const CONNECTIONS = ACCOUNTS;
const BARE = "bare debit, 128 budgets";
const BARE_HOT = "bare debit, one budget";
const MANY = "POST /api/sign-payment, 128 accounts";
const HOT = "POST /api/sign-payment, one account";
const REFERENCE = "@x402/fetch's client, payload only";

export const signPayment: Bench = {
  name: "sign-payment",
  title: "payments committed to disk, then signed; 16 connections to PostgreSQL",
  unit: "payments",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", ACCOUNTS);
      const bare = resources.add(await startChild("debit", { args: [service.databaseUrl] }), ({ stop }) => stop());
      const reference = resources.add(await startChild("reference-client"), ({ stop }) => stop());
      const { tokenHeaders } = service;
      const debit = (budgets: number) => (durationMs: number) => bare.request<number>("debit", { durationMs, budgets });
      const sign = (accounts: number) => (durationMs: number) =>
        signPayments(service, tokenHeaders.slice(0, accounts), CONNECTIONS, durationMs);
      return {
        subjects: [
          { name: BARE, process: bare, run: debit(ACCOUNTS) },
          { name: MANY, process: service.process, run: sign(ACCOUNTS) },
          { name: BARE_HOT, process: bare, run: debit(1) },
          { name: HOT, process: service.process, run: sign(1) },
          {
            name: REFERENCE,
            process: reference,
            run: (durationMs) => reference.request("createPayload", { durationMs }),
          },
        ],
        comparisons: [
          { subject: MANY, against: BARE, aim: 0.4 },
          { subject: MANY, against: REFERENCE },
          { subject: HOT, against: BARE_HOT, aim: 0.4 },
        ],
        close: resources.close,
      };
    }),
};
