/** Webhook endpoint for tests: records requests and verifies signatures with the Standard Webhooks library. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every shape.
  readonly json: any;
}

export interface Receiver {
  readonly url: string;
  /** All received requests, in order. */
  readonly received: Received[];
  /** Sets the status of later responses, or a handler that responds. */
  respondWith(responder: number | ((request: IncomingMessage, response: ServerResponse) => void)): void;
  stop(): Promise<void>;
}

/** Starts an endpoint that responds with 200. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let responder: Parameters<Receiver["respondWith"]>[0] = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      received.push({ path: request.url ?? "", headers, body, json: JSON.parse(body) });
      if (typeof responder === "number") response.writeHead(responder).end();
      else responder(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respondWith(next) {
      responder = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Verifies a request and returns its payload. @throws the library's error for an invalid signature */
export function verify(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers);
}
