import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface DeafRpc {
  readonly url: string;
  /** Resolves when the first transaction has come. */
  readonly reached: Promise<void>;
  close(): Promise<void>;
}

/** A network's JSON-RPC that answers every question and swallows every transaction, without a word. */
export async function openDeafRpc(rpcUrl: string): Promise<DeafRpc> {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (body.includes("sendRawTransaction") || body.includes('"sendTransaction"')) return reach();
    const answer = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
