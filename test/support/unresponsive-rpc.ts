import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface UnresponsiveRpc {
  readonly url: string;
  /** Resolves when the first transaction arrives. */
  readonly transactionReceived: Promise<void>;
  close(): Promise<void>;
}

/** Opens a JSON-RPC proxy that forwards queries but never responds to a transaction. */
export async function openUnresponsiveRpc(rpcUrl: string): Promise<UnresponsiveRpc> {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (body.includes("sendRawTransaction") || body.includes('"sendTransaction"')) return reach();
    const forwarded = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    response.writeHead(forwarded.status, { "content-type": "application/json" }).end(await forwarded.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transactionReceived: reached,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
