import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { startSender, startServer } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

const MIB = 1024 * 1024;

test("applies back-pressure: a slow reader of 200 MB slows down the sender", { timeout: 60_000 }, async () => {
  const { url, progress } = await startSender(200 * MIB);
  const response = await openEgress().request(get(url));
  let receivedBytes = 0;
  let maxAheadBytes = 0;
  for await (const chunk of response.body) {
    receivedBytes += (chunk as Buffer).length;
    await nextTurn();
    maxAheadBytes = Math.max(maxAheadBytes, progress.sentBytes - receivedBytes);
  }
  expect(receivedBytes).toBe(200 * MIB);
  // The size of the kernel's socket buffers. Without back-pressure the sender would be ahead by nearly 200 MB.
  expect(maxAheadBytes).toBeLessThan(32 * MIB);
});

test("destroying the body stops the sender", async () => {
  const { url, progress } = await startSender(1024 * MIB);
  const response = await openEgress().request(get(url));
  await once(response.body, "data");
  response.body.destroy();
  await expect.poll(() => progress.isClosed).toBe(true);
  expect(progress.sentBytes).toBeLessThan(1024 * MIB);
});

test("aborting the signal closes the connection, before the response and during the body", async () => {
  const { url, progress } = await startSender(1024 * MIB);
  const sending = new AbortController();
  const response = await openEgress().request(get(url, { signal: sending.signal }));
  await once(response.body, "data");
  sending.abort();
  await expect(once(response.body, "end")).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => progress.isClosed).toBe(true);

  let isClosed = false;
  const silent = await startServer((request) => {
    request.socket.on("close", () => {
      isClosed = true;
    });
  });
  const waiting = new AbortController();
  const pendingResponse = openEgress().request(get(silent.url, { signal: waiting.signal }));
  await expect.poll(() => silent.requests.length).toBe(1);
  waiting.abort();
  await expect(pendingResponse).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => isClosed).toBe(true);
});

test("sends nothing if the signal is already aborted", async () => {
  const server = await startServer((_request, response) => response.end());
  await expect(openEgress().request(get(server.url, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(server.requests).toHaveLength(0);
});
