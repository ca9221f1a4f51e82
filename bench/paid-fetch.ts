/**
 * Requests through Satchel to a seller on loopback. The baseline of the free resource is plain `fetch`. The baselines of the paid
 * resource are `@x402/fetch` and a minimal payer, which shows the cost of authentication and budgets alone.
 */

import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { runHttpLoad } from "./harness/load.ts";
import { createTokenHeaders, type MinimalProgram } from "./harness/minimal-callers.ts";
import { createDatabase } from "./harness/postgresql.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const PLAIN = "fetch, free resource";
const FREE = "POST /api/x402/fetch, free resource";
const REFERENCE = "@x402/fetch, paid resource";
const PAID = "POST /api/x402/fetch, paid resource";
const MINIMAL = "minimal payer, paid resource";

export const paidFetch: Bench = {
  name: "paid-fetch",
  title: "free and paid resources, payments committed to disk, 32 connections",
  unit: "responses",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const seller = resources.add(await startChild<string>("seller"), ({ stop }) => stop());
      const client = resources.add(await startChild("reference-client"), ({ stop }) => stop());
      const service = await openService(resources, postgresqlUrl ?? "", CONNECTIONS);
      const direct = (path: string, pays: boolean) => (durationMs: number) =>
        client.request<number>("fetch", { url: seller.hello + path, pays, connections: CONNECTIONS, durationMs });
      const minimalDatabase = resources.add(await createDatabase(postgresqlUrl ?? ""), ({ drop }) => drop());
      const minimal = resources.add(
        await startChild<MinimalProgram>("minimal-payer", { args: [minimalDatabase.url] }),
        ({ stop }) => stop(),
      );
      const proxiedBy = (baseUrl: string, headersByConnection: readonly Record<string, string>[], path: string) => {
        const url = `${baseUrl}/api/x402/fetch?url=${encodeURIComponent(seller.hello + path)}`;
        const load = { url, method: "POST", connections: CONNECTIONS, headersByConnection } as const;
        return (durationMs: number) => runHttpLoad(load, durationMs);
      };
      const proxied = (path: string) => proxiedBy(service.baseUrl, service.tokenHeaders, path);
      return {
        subjects: [
          { name: PLAIN, process: client, run: direct("/free", false) },
          { name: FREE, process: service.process, run: proxied("/free") },
          { name: REFERENCE, process: client, run: direct("/paid", true) },
          { name: PAID, process: service.process, run: proxied("/paid") },
          {
            name: MINIMAL,
            process: minimal,
            run: proxiedBy(minimal.hello.baseUrl, createTokenHeaders(minimal.hello), "/paid"),
          },
        ],
        comparisons: [
          { subject: FREE, against: PLAIN },
          { subject: PAID, against: REFERENCE, aim: 2 },
          { subject: PAID, against: MINIMAL },
          { subject: MINIMAL, against: REFERENCE },
          { subject: PAID, against: PLAIN },
        ],
        close: resources.close,
      };
    }),
};
