import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";

export interface TestServer {
  readonly port: number;
  readonly url: string;
  /** Received requests, in order. */
  readonly requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: Buffer }[];
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Reads a whole body as text. */
export async function textOf(stream: Readable): Promise<string> {
  return (await bytesOf(stream)).toString("utf8");
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown;

/** Starts an HTTP server on a free loopback port, which closes with the test. */
export async function startServer(handle: Handler, tls?: { key: string; cert: string }): Promise<TestServer> {
  const requests: TestServer["requests"] = [];
  const listener: RequestListener = async (request, response) => {
    const body = await bytesOf(request);
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    await handle(request, response, body);
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer({ maxHeaderSize: 65_536 }, listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `${tls ? "https" : "http"}://127.0.0.1:${port}`, requests };
}

const CHUNK = Buffer.alloc(64 * 1024, 7);

/** Starts a server that sends `sizeBytes` as fast as they are read, and exposes its progress. */
export async function startSender(sizeBytes: number) {
  const progress = { sentBytes: 0, isClosed: false };
  function* chunks() {
    for (; progress.sentBytes < sizeBytes; progress.sentBytes += CHUNK.length) yield CHUNK;
  }
  const { url } = await startServer(async (_request, response) => {
    Object.assign(progress, { sentBytes: 0, isClosed: false });
    response.writeHead(200, { "content-length": sizeBytes });
    await pipeline(Readable.from(chunks()), response).catch(() => {});
    progress.isClosed = true;
  });
  return { url, progress };
}
