/** REST routes beside a minimal fastify route: the route alone, and complete requests with their queries. */
import type { Bench, Comparison, Subject } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { runHttpLoad } from "./harness/load.ts";
import { signPayments } from "./harness/payments.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const HELLO = "fastify hello";
const IN_MEMORY = "GET /api/balance from memory";
const COMPLETE = { "GET /api/balance": "/api/balance", "GET /api/transactions, 5 rows": "/api/transactions?limit=5" };

export const rest: Bench = {
  name: "rest",
  title: "REST routes in process, 32 connections",
  unit: "requests",
  needsPostgresql: false,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const hello = resources.add(await startChild<number>("hello"), ({ stop }) => stop());
      const routes = resources.add(await startChild<number>("routes", { isService: true }), ({ stop }) => stop());
      const get = (url: string, headersByConnection?: readonly Record<string, string>[]) => (durationMs: number) =>
        runHttpLoad({ url, connections: CONNECTIONS, ...(headersByConnection && { headersByConnection }) }, durationMs);
      const subjects: Subject[] = [
        { name: HELLO, process: hello, run: get(`http://127.0.0.1:${hello.hello}/`) },
        { name: IN_MEMORY, process: routes, run: get(`http://127.0.0.1:${routes.hello}/api/balance`) },
      ];
      const comparisons: Comparison[] = [{ subject: IN_MEMORY, against: HELLO, aim: 0.6 }];
      if (postgresqlUrl === null) {
        const skipped = [
          "routes on the database need PostgreSQL: set DATABASE_URL, or start a server on 127.0.0.1:5432",
        ];
        return { subjects, comparisons, skipped, close: resources.close };
      }
      const service = await openService(resources, postgresqlUrl, CONNECTIONS);
      await signPayments(service, service.tokenHeaders, CONNECTIONS, 1_000);
      for (const [name, path] of Object.entries(COMPLETE)) {
        subjects.push({ name, process: service.process, run: get(service.baseUrl + path, service.tokenHeaders) });
        comparisons.push({ subject: name, against: HELLO });
      }
      return { subjects, comparisons, close: resources.close };
    }),
};
