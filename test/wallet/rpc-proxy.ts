/** HTTP proxies in front of an RPC that record or change its responses. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a server that responds to each request body with the result of `respond`, and with status 500 if it fails. */
export async function startRpcProxy(respond: (body: string) => Promise<string>) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    await respond(body)
      .then((text) => response.writeHead(200, { "content-type": "application/json" }).end(text))
      .catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends `body` to the RPC at `url` and returns the response body. */
export async function forward(url: string, body: string): Promise<string> {
  return (await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } })).text();
}

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Starts a proxy of the RPC at `url` that responds with an error to calls for which `isRejected` returns true. */
export async function startRejectingRpc(url: string, isRejected: (call: RpcCall) => boolean) {
  const respondToCall = async (call: RpcCall): Promise<unknown> =>
    isRejected(call)
      ? { jsonrpc: "2.0", id: call.id, error: { code: -32_600, message: "That is not served." } }
      : JSON.parse(await forward(url, JSON.stringify(call)));
  return await startRpcProxy(async (body) => {
    const calls = JSON.parse(body) as RpcCall | RpcCall[];
    return JSON.stringify(
      Array.isArray(calls) ? await Promise.all(calls.map(respondToCall)) : await respondToCall(calls),
    );
  });
}

/** Returns the number of blocks of an `eth_getLogs` call, or null for another method. */
export function logSpanBlocks({ method, params }: Pick<RpcCall, "method" | "params">): bigint | null {
  if (method !== "eth_getLogs") return null;
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return BigInt(toBlock) - BigInt(fromBlock) + 1n;
}
