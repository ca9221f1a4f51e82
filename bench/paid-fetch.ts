/**
 * Through the proxy to a shop on loopback: a free resource against plain fetch, a paid one against `@x402/fetch`, and against the
 * least that pays for others within what they allow, which shows what those duties alone cost.
 */
import { type BareProgram, bareTokenHeaders } from "./harness/bare-callers.ts";
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { fireHttp } from "./harness/load.ts";
import { openAll } from "./harness/opened.ts";
import { createDatabase } from "./harness/postgresql.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const PLAIN = "fetch, free resource";
const FREE = "POST /api/x402/fetch, free resource";
const REFERENCE = "@x402/fetch, paid resource";
const PAID = "POST /api/x402/fetch, paid resource";
const BARE = "bare payer, paid resource";

export const paidFetch: Bench = {
  name: "paid-fetch",
  title: "a resource fetched, and paid for with everything on disk, 32 connections",
  unit: "answers",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const shop = opened.add(await startChild<string>("shop"), ({ stop }) => stop());
      const client = opened.add(await startChild("reference-client"), ({ stop }) => stop());
      const service = await openService(opened, postgresqlUrl ?? "", CONNECTIONS);
      const direct = (path: string, pays: boolean) => (durationMs: number) =>
        client.ask<number>("fetch", { url: shop.hello + path, pays, connections: CONNECTIONS, durationMs });
      const bareDatabase = opened.add(await createDatabase(postgresqlUrl ?? ""), ({ drop }) => drop());
      const bare = opened.add(await startChild<BareProgram>("bare-payer", { args: [bareDatabase.url] }), ({ stop }) =>
        stop(),
      );
      const proxiedBy = (baseUrl: string, headersByConnection: readonly Record<string, string>[], path: string) => {
        const url = `${baseUrl}/api/x402/fetch?url=${encodeURIComponent(shop.hello + path)}`;
        const load = { url, method: "POST", connections: CONNECTIONS, headersByConnection } as const;
        return (durationMs: number) => fireHttp(load, durationMs);
      };
      const proxied = (path: string) => proxiedBy(service.baseUrl, service.tokenHeaders, path);
      return {
        subjects: [
          { name: PLAIN, process: client, run: direct("/free", false) },
          { name: FREE, process: service.process, run: proxied("/free") },
          { name: REFERENCE, process: client, run: direct("/paid", true) },
          { name: PAID, process: service.process, run: proxied("/paid") },
          { name: BARE, process: bare, run: proxiedBy(bare.hello.baseUrl, bareTokenHeaders(bare.hello), "/paid") },
        ],
        comparisons: [
          { subject: FREE, against: PLAIN },
          { subject: PAID, against: REFERENCE, aim: 2 },
          { subject: PAID, against: BARE },
          { subject: BARE, against: REFERENCE },
          { subject: PAID, against: PLAIN },
        ],
        close: opened.close,
      };
    }),
};
