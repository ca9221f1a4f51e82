import { createServer, type IncomingMessage, type Server } from "node:http";
import { RpcFailure, type RpcMethods } from "./rpc.ts";

const MAX_BODY_BYTES = 1024 * 1024;

interface RpcRequest {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** Creates a server for JSON-RPC 2.0 over HTTP POST, with single requests and batches. Bigints are written as JSON numbers. */
export function createJsonRpcServer(methods: RpcMethods): Server {
  async function respond(request: RpcRequest): Promise<unknown> {
    const id = request?.id ?? null;
    const method = typeof request?.method === "string" ? request.method : "";
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!run) return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
    try {
      return { jsonrpc: "2.0", id, result: await run(Array.isArray(request.params) ? request.params : []) };
    } catch (error) {
      if (!(error instanceof RpcFailure)) {
        return { jsonrpc: "2.0", id, error: { code: -32602, message: (error as Error).message } };
      }
      const { code, message, data } = error;
      return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  }

  return createServer((request, response) => {
    readBody(request)
      .then(async (body) => {
        const requests = JSON.parse(body) as RpcRequest | RpcRequest[];
        const responses = await (Array.isArray(requests) ? Promise.all(requests.map(respond)) : respond(requests));
        response.writeHead(200, { "content-type": "application/json" }).end(stringify(responses));
      })
      .catch(() => {
        const error = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };
        response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(error));
      });
  });
}

// Part of ECMAScript 2026 and available since Node 22, but not yet declared in TypeScript's library.
const { rawJSON } = JSON as unknown as { rawJSON(json: string): unknown };

function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? rawJSON(one.toString()) : one));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("Request too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
