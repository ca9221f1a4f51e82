/** Responses received in one piece with their headers: `bytes` and the stream must have the same content. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ReceivedBody, readBounded, readBoundedBytes } from "../../../src/platform/egress/body.ts";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

/** Starts a TCP server with raw control over its response: each write is sent in one piece. */
async function startSocketServer(respond: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => respond(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}

test("a short response is complete as bytes, as text and as a stream", async () => {
  const egress = openEgress();
  const { url } = await startServer((_request, response) => response.end("Everything in its place."));
  const requestBody = async () => (await egress.request(get(url))).body;
  const body = await requestBody();
  expect(body).toBeInstanceOf(ReceivedBody);
  expect((body as ReceivedBody).bytes.toString()).toBe("Everything in its place.");
  expect(await textOf(await requestBody())).toBe("Everything in its place.");
  expect(await readBounded(await requestBody(), 24)).toBe("Everything in its place.");
  await expect(readBounded(await requestBody(), 23)).rejects.toThrow("longer than 23 bytes");
});

test("a response without a body has an empty body", async () => {
  const { url } = await startServer((_request, response) => response.writeHead(204).end());
  const { status, body } = await openEgress().request(get(url));
  expect([status, await textOf(body)]).toEqual([204, ""]);
});

test("the connection of a received body is reused although the body is not read", async () => {
  const ports = new Set<number | undefined>();
  const { url } = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("again");
  });
  const egress = openEgress();
  for (let n = 0; n < 10; n++) await egress.request(get(url));
  // A request may be sent in the event loop iteration in which the last response ends, before its connection is free.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test("headers are returned before a body that arrives later", async () => {
  let finish = () => {};
  const { url } = await startServer((_request, response) => {
    response.writeHead(200, { "content-length": 5 });
    response.flushHeaders();
    finish = () => void response.end("later");
  });
  const { status, body } = await openEgress().request(get(url));
  expect([status, body instanceof ReceivedBody]).toEqual([200, false]);
  finish();
  expect(await textOf(body)).toBe("later");
});

test("a response that ends or becomes malformed in its first piece still has its status and headers", async () => {
  const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-said: this\r\n\r\n3\r\nabc\r\n";
  for (const end of ["not a length\r\n", null]) {
    const url = await startSocketServer((socket) => (end === null ? socket.end(head) : socket.write(head + end)));
    const { status, headers, body } = await openEgress().request(get(url));
    expect([status, headers["x-said"], body instanceof ReceivedBody]).toEqual([200, "this", false]);
    await expect(readBoundedBytes(body, 1_000, () => new Error("too long"))).rejects.toThrow(/127\.0\.0\.1/);
  }
});

test("the received bytes equal the sent bytes, regardless of chunks", async () => {
  const egress = openEgress();
  let chunks: Uint8Array[] = [];
  const { url } = await startServer(async (_request, response) => {
    for (const chunk of chunks) await new Promise((done) => response.write(chunk, done));
    response.end();
  });
  const anyChunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 100_000 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(anyChunks, fc.boolean(), async (sent, asStream) => {
      chunks = sent;
      const { body } = await egress.request(get(url));
      const tooLong = () => new Error("too long");
      const read = asStream ? Buffer.concat(await body.toArray()) : await readBoundedBytes(body, 1_000_000, tooLong);
      expect(read.equals(Buffer.concat(sent))).toBe(true);
    }),
    { numRuns: 60 },
  );
});
