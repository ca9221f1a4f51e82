/** Answers that come in one piece with their headers: taken as bytes or read as a stream, they are the same. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ReceivedBody, readBounded, readBoundedBytes } from "../../../src/platform/egress/body.ts";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

/** A server of its own words: what it writes goes out in one piece each. */
async function startSocketServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}

test("a short answer is there whole, as bytes, as text and as a stream", async () => {
  const egress = openEgress();
  const { url } = await startServer((_request, response) => response.end("Everything in its place."));
  const answer = async () => (await egress.request(get(url))).body;
  const body = await answer();
  expect(body).toBeInstanceOf(ReceivedBody);
  expect((body as ReceivedBody).bytes.toString()).toBe("Everything in its place.");
  expect(await textOf(await answer())).toBe("Everything in its place.");
  expect(await readBounded(await answer(), 24)).toBe("Everything in its place.");
  await expect(readBounded(await answer(), 23)).rejects.toThrow("longer than 23 bytes");
});

test("an answer without a body reads as nothing", async () => {
  const { url } = await startServer((_request, response) => response.writeHead(204).end());
  const { status, body } = await openEgress().request(get(url));
  expect([status, await textOf(body)]).toEqual([204, ""]);
});

test("its connection is used again though nobody reads it", async () => {
  const ports = new Set<number | undefined>();
  const { url } = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("again");
  });
  const egress = openEgress();
  for (let n = 0; n < 10; n++) await egress.request(get(url));
  // The next request may come in the turn in which the last answer ends, before its connection is free.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test("headers are not held back for a body that comes later", async () => {
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

test("an answer that breaks off, or breaks HTTP, in the very piece that began it still says how it began", async () => {
  const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-said: this\r\n\r\n3\r\nabc\r\n";
  for (const end of ["not a length\r\n", null]) {
    const url = await startSocketServer((socket) => (end === null ? socket.end(head) : socket.write(head + end)));
    const { status, headers, body } = await openEgress().request(get(url));
    expect([status, headers["x-said"], body instanceof ReceivedBody]).toEqual([200, "this", false]);
    await expect(readBoundedBytes(body, 1_000, () => new Error("too long"))).rejects.toThrow(/127\.0\.0\.1/);
  }
});

test("whatever the pieces, the bytes are those that were sent", async () => {
  const egress = openEgress();
  let pieces: Uint8Array[] = [];
  const { url } = await startServer(async (_request, response) => {
    for (const piece of pieces) await new Promise((done) => response.write(piece, done));
    response.end();
  });
  const given = fc.array(fc.uint8Array({ minLength: 1, maxLength: 100_000 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(given, fc.boolean(), async (sent, asStream) => {
      pieces = sent;
      const { body } = await egress.request(get(url));
      const tooLong = () => new Error("too long");
      const read = asStream ? Buffer.concat(await body.toArray()) : await readBoundedBytes(body, 1_000_000, tooLong);
      expect(read.equals(Buffer.concat(sent))).toBe(true);
    }),
    { numRuns: 60 },
  );
});
