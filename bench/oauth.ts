/** OAuth: requests with an access token, and durable token issuance beside one durable statement. */
import { Pool } from "undici";
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { type BenchGrants, CALLBACK, openGrants } from "./harness/grants.ts";
import { runHttpLoad } from "./harness/load.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

/** Number of connections. Each has its own account. */
const CONNECTIONS = 32;
/** Codes created per second of a round, more than it can exchange. */
const CODES_PER_SECOND = 5_000;

const BARE = "bare statement on disk";
const API_TOKEN = "GET /api/transactions, API token";
const ACCESS_TOKEN = "GET /api/transactions, access token";
const EXCHANGE = "POST /oauth/token, code";
const REFRESH = "POST /oauth/token, refresh";

export const oauth: Bench = {
  name: "oauth",
  title: "OAuth: access tokens and the token endpoint, 32 connections; 16 connections to PostgreSQL",
  unit: "requests",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", CONNECTIONS);
      const bare = resources.add(await startChild("debit", { args: [service.databaseUrl] }), ({ stop }) => stop());
      const accountIds = service.process.hello.accounts.map(({ accountId }) => accountId);
      const grants = await openGrants(resources, service.databaseUrl, accountIds);
      const http = resources.add(new Pool(service.baseUrl, { connections: CONNECTIONS }), (pool) => pool.close());
      const bearers = (await grants.newTokens("access")).map((token) => ({ authorization: `Bearer ${token}` }));
      const url = `${service.baseUrl}/api/transactions?limit=1`;
      const read = (headersByConnection: readonly Record<string, string>[]) => (durationMs: number) =>
        runHttpLoad({ url, connections: CONNECTIONS, headersByConnection }, durationMs);
      const { process } = service;
      return {
        subjects: [
          {
            name: BARE,
            process: bare,
            run: (durationMs) => bare.request<number>("debit", { durationMs, budgets: 128 }),
          },
          { name: API_TOKEN, process, run: read(service.tokenHeaders) },
          { name: ACCESS_TOKEN, process, run: read(bearers) },
          { name: EXCHANGE, process, run: (durationMs) => exchangeCodes(http, grants, durationMs) },
          { name: REFRESH, process, run: (durationMs) => refreshTokens(http, grants, durationMs) },
        ],
        comparisons: [
          { subject: ACCESS_TOKEN, against: API_TOKEN },
          { subject: EXCHANGE, against: BARE },
          { subject: REFRESH, against: BARE },
        ],
        close: resources.close,
      };
    }),
};

interface Tokens {
  readonly refresh_token: string;
}

async function requestTokens(http: Pool, body: object): Promise<Tokens> {
  const headers = { "content-type": "application/json" };
  const response = await http.request({ method: "POST", path: "/oauth/token", headers, body: JSON.stringify(body) });
  const text = await response.body.text();
  if (response.statusCode !== 200)
    throw new Error(`The token endpoint responded with ${response.statusCode}. No token was issued.`);
  return JSON.parse(text) as Tokens;
}

/** Repeats `step` on every connection for `durationMs`. @returns steps per second */
async function runLanes(durationMs: number, step: (lane: number) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  const lanes = Array.from({ length: CONNECTIONS }, async (_, lane) => {
    while (performance.now() - startedMs < durationMs) {
      await step(lane);
      count++;
    }
  });
  await Promise.all(lanes);
  return count / ((performance.now() - startedMs) / 1_000);
}

async function exchangeCodes(http: Pool, { clientId, clientSecret, newCodes }: BenchGrants, durationMs: number) {
  const codes = [...(await newCodes(Math.ceil((CODES_PER_SECOND * durationMs) / 1_000)))];
  const request = {
    grant_type: "authorization_code",
    redirect_uri: CALLBACK,
    client_id: clientId,
    client_secret: clientSecret,
  };
  return await runLanes(durationMs, async () => void (await requestTokens(http, { ...request, code: codes.pop() })));
}

/** Refreshes tokens on every connection. Each connection has its own token family. */
async function refreshTokens(http: Pool, { clientId, newTokens }: BenchGrants, durationMs: number) {
  const tokens = [...(await newTokens("refresh"))];
  return await runLanes(durationMs, async (lane) => {
    const request = { grant_type: "refresh_token", client_id: clientId, refresh_token: tokens[lane] };
    tokens[lane] = (await requestTokens(http, request)).refresh_token;
  });
}
