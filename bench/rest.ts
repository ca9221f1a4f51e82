/** REST routes against the least fastify can do: the route's own cost, and whole requests with all they ask. */
import type { Bench, Comparison, Subject } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { fireHttp } from "./harness/load.ts";
import { openAll } from "./harness/opened.ts";
import { signPayments } from "./harness/payments.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const HELLO = "fastify hello";
const IN_MEMORY = "GET /api/balance, answered from memory";
const REAL = { "GET /api/balance": "/api/balance", "GET /api/transactions, 5 rows": "/api/transactions?limit=5" };

export const rest: Bench = {
  name: "rest",
  title: "REST routes in process, 32 connections",
  unit: "requests",
  needsPostgresql: false,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const hello = opened.add(await startChild<number>("hello"), ({ stop }) => stop());
      const routes = opened.add(await startChild<number>("routes", { isService: true }), ({ stop }) => stop());
      const get = (url: string, headersByConnection?: readonly Record<string, string>[]) => (durationMs: number) =>
        fireHttp({ url, connections: CONNECTIONS, ...(headersByConnection && { headersByConnection }) }, durationMs);
      const subjects: Subject[] = [
        { name: HELLO, process: hello, run: get(`http://127.0.0.1:${hello.hello}/`) },
        { name: IN_MEMORY, process: routes, run: get(`http://127.0.0.1:${routes.hello}/api/balance`) },
      ];
      const comparisons: Comparison[] = [{ subject: IN_MEMORY, against: HELLO, aim: 0.6 }];
      if (postgresqlUrl === null) {
        const skipped = ["routes on the database need PostgreSQL: set DATABASE_URL, or start one on 127.0.0.1:5432"];
        return { subjects, comparisons, skipped, close: opened.close };
      }
      const service = await openService(opened, postgresqlUrl, CONNECTIONS);
      await signPayments(service, service.tokenHeaders, CONNECTIONS, 1_000);
      for (const [name, path] of Object.entries(REAL)) {
        subjects.push({ name, process: service.process, run: get(service.baseUrl + path, service.tokenHeaders) });
        comparisons.push({ subject: name, against: HELLO });
      }
      return { subjects, comparisons, close: opened.close };
    }),
};
