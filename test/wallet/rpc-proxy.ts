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
