import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { keccak256 } from "viem";

export interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly `0x${string}`[];
}

export interface LossyRpc {
  readonly url: string;
  /** Raw transactions that were accepted and not passed on, in order. */
  readonly dropped: `0x${string}`[];
  /** All requests, in order. */
  readonly requests: RpcRequest[];
  /** Passes everything on from now on. */
  heal(): void;
  /** Passes transactions on from now on, and reports no receipt, like a node behind the one that mined them. */
  hideReceipts(): void;
  close(): Promise<void>;
}

/** Starts a node that accepts every transaction and drops it, until it heals. */
export async function openLossyRpc(rpcUrl: string): Promise<LossyRpc> {
  const dropped: `0x${string}`[] = [];
  const requests: RpcRequest[] = [];
  let isHealed = false;
  let areReceiptsHidden = false;
  const handle = async (request: RpcRequest): Promise<object> => {
    requests.push(request);
    const [raw] = request.params ?? [];
    if (request.method === "eth_sendRawTransaction" && raw && !isHealed) {
      dropped.push(raw);
      return { jsonrpc: "2.0", id: request.id, result: keccak256(raw) };
    }
    if (request.method === "eth_getTransactionReceipt" && areReceiptsHidden) {
      return { jsonrpc: "2.0", id: request.id, result: null };
    }
    const headers = { "content-type": "application/json" };
    const response = await fetch(rpcUrl, { method: "POST", headers, body: JSON.stringify(request) });
    return (await response.json()) as object;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const calls = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[];
    const results = await (Array.isArray(calls) ? Promise.all(calls.map(handle)) : handle(calls));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(results));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropped,
    requests,
    heal() {
      isHealed = true;
      areReceiptsHidden = false;
    },
    hideReceipts() {
      isHealed = true;
      areReceiptsHidden = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
