/** GraphQL POST requests on one schema: Satchel's handler, mercurius with jit, and the same response from bare node:http. */
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { runHttpLoad } from "./harness/load.ts";
import { openResources } from "./harness/resources.ts";

const CONNECTIONS = 32;
const BODY = JSON.stringify({
  query: "query Payment($id: ID!) { payment(id: $id) { id status amount payee { name network } } }",
  operationName: "Payment",
  variables: { id: "tx_1" },
});
const KINDS = { bare: "bare node:http", mercurius: "mercurius with jit", satchel: "satchel" };

export const graphql: Bench = {
  name: "graphql",
  title: "POST /graphql, 32 connections",
  unit: "requests",
  needsPostgresql: false,
  open: () =>
    openResources(async (resources) => {
      const subjects = [];
      for (const [kind, name] of Object.entries(KINDS)) {
        const server = resources.add(
          await startChild<number>("graphql", { args: [kind], isService: kind === "satchel" }),
          (child) => child.stop(),
        );
        const load = {
          url: `http://127.0.0.1:${server.hello}/graphql`,
          method: "POST",
          headers: { "content-type": "application/json" },
          body: BODY,
          connections: CONNECTIONS,
        } as const;
        subjects.push({ name, process: server, run: (durationMs: number) => runHttpLoad(load, durationMs) });
      }
      const comparisons = [
        { subject: "satchel", against: KINDS.mercurius, aim: 1 },
        { subject: "satchel", against: KINDS.bare },
      ];
      return { subjects, comparisons, close: resources.close };
    }),
};
