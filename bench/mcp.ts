/** A tool of the MCP server beside the REST route that reads the same. */
import type { Bench } from "./harness/bench.ts";
import { runHttpLoad } from "./harness/load.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const TOOL = "tools/call get_wallet";
const ROUTE = "GET /api/balance";
const REVISION = "2026-07-28";
const BODY = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: {
    ...{ name: "get_wallet", arguments: {} },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": REVISION,
  "mcp-method": "tools/call",
  "mcp-name": "get_wallet",
};

export const mcp: Bench = {
  name: "mcp",
  title: "MCP server on PostgreSQL, 32 connections",
  unit: "requests",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", CONNECTIONS);
      const load = { connections: CONNECTIONS };
      const callerHeaders = service.tokenHeaders.map((headers) => ({ ...headers, ...HEADERS }));
      const call = {
        url: `${service.baseUrl}/mcp`,
        method: "POST" as const,
        body: BODY,
        headersByConnection: callerHeaders,
      };
      const read = { url: `${service.baseUrl}/api/balance`, headersByConnection: service.tokenHeaders };
      return {
        subjects: [
          { name: ROUTE, process: service.process, run: (durationMs) => runHttpLoad({ ...load, ...read }, durationMs) },
          { name: TOOL, process: service.process, run: (durationMs) => runHttpLoad({ ...load, ...call }, durationMs) },
        ],
        comparisons: [{ subject: TOOL, against: ROUTE, aim: 0.5 }],
        close: resources.close,
      };
    }),
};
