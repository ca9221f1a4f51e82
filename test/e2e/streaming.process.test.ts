/** The proxy with large responses, in a separate process whose memory is read from the operating system. */
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Api, createApiClient } from "../support/api.ts";
import { readPeakBytes, resetPeakMemory } from "../support/process-memory.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl } from "../support/servers.ts";

const MIB = 1024 * 1024;
/** Several times the memory variation of the process while it streams. */
const LARGE_BYTES = 300 * MIB;

let sandbox: TestSandbox;
let satchel: Satchel;
let payer: Payer;
let running: SatchelProcess;
let api: Api;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  payer = await satchel.payer({ usdcAtomic: 10_000_000n });
  running = await satchel.start();
  api = createApiClient(running.baseUrl, payer.token);
});
afterAll(async () => {
  await running?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

const createProxyUrl = (url: string, more = "") =>
  `${running.baseUrl}/api/x402/fetch?url=${encodeURIComponent(url)}${more}`;
const call = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, method: "POST", headers: { "x-service-token": payer.token, ...init.headers } });

async function readWhole(response: Response): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) sizeBytes += chunk.byteLength;
  return sizeBytes;
}

describe.runIf(process.platform === "linux")("a large response", () => {
  // The peak is reset after the start, because the embedded database uses far more memory than a response.
  // Warm-up requests let the young heap grow first, which would otherwise be measured.
  beforeAll(async () => {
    const warmUp = async () =>
      readWhole(await call(createProxyUrl(`${sandbox.shopUrl}/free/stream?bytes=${100 * MIB}`)));
    await warmUp();
    await resetPeakMemory(running.pid);
    await warmUp();
  });

  it.each([
    ["for free", () => `${sandbox.shopUrl}/free/stream`, null],
    ["paid for", () => `${sandbox.shopUrl}/v1/stream`, "0.01"],
  ])("is streamed in constant memory: %s", async (_how, url, paidUsd) => {
    const before = await readPeakBytes(running.pid);
    const response = await call(createProxyUrl(`${url()}?bytes=${LARGE_BYTES}`));
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(LARGE_BYTES)]);
    expect(response.headers.get("x-satchel-amount-paid")).toBe(paidUsd);
    const sizeBytes = await readWhole(response);
    expect(sizeBytes).toBe(LARGE_BYTES);
    expect(((await readPeakBytes(running.pid)) - before) / MIB).toBeLessThan(LARGE_BYTES / MIB / 3);
  });
});

describe("a caller", () => {
  let endless: Server;
  let url: string;
  let sentBytes = 0;
  let closed = 0;
  beforeAll(async () => {
    endless = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        while (!response.destroyed) {
          sentBytes += chunk.byteLength;
          if (!response.write(chunk)) return;
        }
      };
      response.on("drain", write);
      response.on("close", () => {
        closed += 1;
      });
      write();
    }).listen(0, "127.0.0.1");
    await once(endless, "listening");
    url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    endless?.closeAllConnections();
    endless?.close();
  });

  it("that disconnects ends the target's response", async () => {
    const controller = new AbortController();
    const response = await call(createProxyUrl(url), { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    controller.abort();
    await reader.read().catch(() => {});
    await vi.waitFor(() => expect(closed).toBe(1), { timeout: 20_000 });
  });

  it("that does not read applies backpressure to the target", async () => {
    sentBytes = 0;
    const outgoing = request(createProxyUrl(url), { method: "POST", headers: { "x-service-token": payer.token } });
    outgoing.end();
    const [response] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
    response.pause();
    let last = -1;
    // Until all buffers are full and the target stops sending.
    await vi.waitFor(
      () => {
        const now = sentBytes;
        const hasAdvanced = now !== last;
        last = now;
        expect(hasAdvanced).toBe(false);
      },
      { timeout: 10_000, interval: 300 },
    );
    expect(sentBytes / MIB).toBeLessThan(64);
    response.destroy();
    await vi.waitFor(() => expect(closed).toBe(2), { timeout: 20_000 });
  });
});

describe("the parameters", () => {
  it("timeout: limits the wait for headers, not for the body", async () => {
    const slow = createServer((_request, response) => {
      setTimeout(() => {
        response.writeHead(200).write("a");
        setTimeout(() => response.end("b"), 2_000);
      }, 500);
    }).listen(0, "127.0.0.1");
    await once(slow, "listening");
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
    const late = await api.fetch(url, { timeout: 100 });
    expect([late.status, late.json.error]).toEqual([500, "target_timeout"]);
    const inTime = await api.fetch(url, { timeout: 2_400 });
    expect([inTime.status, inTime.text]).toEqual([200, "ab"]);
    expect((await api.fetch(url, { timeout: 120_001 })).json).toMatchObject({
      error: "invalid_request",
      field: "timeout",
    });
    slow.close();
  });

  it("maxValue: accepts the exact price and rejects one unit less with figures and offers", async () => {
    const url = `${sandbox.shopUrl}/v1/price/4321`;
    const rejected = await api.fetch(url, { maxValue: 4_320 });
    expect(rejected.status).toBe(402);
    expect(rejected.json).toMatchObject({ error: "max_value_exceeded", limit: 4_320, required: 4_321 });
    expect(rejected.json.accepts).toMatchObject([{ maxAmountRequired: "4321", network: "base-sepolia" }]);
    expect((await sandbox.observed("/v1/price/4321")).distinctPayments).toEqual([]);
    const paid = await api.fetch(url, { maxValue: 4_321 });
    expect([paid.status, paid.headers.get("x-satchel-amount-paid")]).toEqual([200, "0.004321"]);
    expect((await api.fetch(url, { maxValue: 0 })).json.error).toBe("max_value_exceeded");
    expect((await api.fetch(`${sandbox.shopUrl}/free`, { maxValue: 0 })).status).toBe(200);
  });
});

it("forwards none of the caller's secrets to the target", async () => {
  const headers = { authorization: "Bearer mine", cookie: "session=1", "x-payment": "own", "x-mine": "yes" };
  await api.fetch(`${sandbox.shopUrl}/v1/price/4322`, {}, headers);
  const { requests } = await sandbox.observed("/v1/price/4322");
  expect(requests.length).toBeGreaterThanOrEqual(2);
  for (const { headerNames, payment } of requests) {
    expect(headerNames).toContain("x-mine");
    for (const name of ["x-service-token", "authorization", "cookie"]) expect(headerNames).not.toContain(name);
    expect(payment).not.toBe("own");
  }
});
