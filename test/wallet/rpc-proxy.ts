/** An HTTP server in front of an RPC, to watch it or to spoil it; it answers 500 when `answer` fails. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export async function startProxy(answer: (body: string) => Promise<string>) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    await answer(body)
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

/** What the RPC at `url` answers to `body`. */
export async function forward(url: string, body: string): Promise<string> {
  return (await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } })).text();
}

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The RPC at `url`, but of the calls that are refused. */
export async function startRefusingRpc(url: string, isRefused: (call: RpcCall) => boolean) {
  const answer = async (call: RpcCall): Promise<unknown> =>
    isRefused(call)
      ? { jsonrpc: "2.0", id: call.id, error: { code: -32_600, message: "That is not served." } }
      : JSON.parse(await forward(url, JSON.stringify(call)));
  return await startProxy(async (body) => {
    const asked = JSON.parse(body) as RpcCall | RpcCall[];
    return JSON.stringify(Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked));
  });
}

/** How many blocks a call searches for logs; null when it does something else. */
export function logSpanOf({ method, params }: Pick<RpcCall, "method" | "params">): bigint | null {
  if (method !== "eth_getLogs") return null;
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return BigInt(toBlock) - BigInt(fromBlock) + 1n;
}
