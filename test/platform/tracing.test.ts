import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHttpServer } from "../../src/platform/http/server.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { isTracing, startTracing, traceHeaders, withSpan } from "../../src/platform/tracing.ts";

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
}

let receiver: Server;
let received: string[];

beforeEach(async () => {
  received = [];
  receiver = createServer(async (request, response) => {
    if (request.url === "/v1/traces") received.push(await text(request));
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});

afterEach(() => new Promise((resolve) => receiver.close(resolve)));

const endpoint = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

function spans(): OtlpSpan[] {
  type Export = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
  return received
    .map((body) => JSON.parse(body) as Export)
    .flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
}

function app() {
  const config = { BASE_URL: undefined, CORS_ORIGINS: [], TRUST_PROXY: [] };
  return createHttpServer({
    config,
    logger: createLogger("silent"),
    metrics: createMetrics({ processMetrics: false }),
  });
}

test("without an endpoint, spans are not made and nothing changes", async () => {
  expect(isTracing()).toBe(false);
  expect(await withSpan("work", {}, async () => 42)).toBe(42);
  expect(traceHeaders()).toEqual({});
});

test("a request and the work in it become spans of the caller's trace", async () => {
  const tracing = await startTracing({ endpoint: endpoint(), serviceName: "satchel" });
  const server = app();
  let outgoing: Record<string, string> = {};
  server.get("/pay/:id", async () =>
    withSpan("sign", { network: "base" }, async () => {
      outgoing = traceHeaders();
      return { ok: true };
    }),
  );
  const [traceId, parentId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const headers = { traceparent: `00-${traceId}-${parentId}-01` };
  await server.inject({ url: "/pay/secret-1?token=secret-2", headers });
  await server.close();
  await tracing.close();

  const [request, work] = [
    spans().find(({ name }) => name === "GET /pay/:id"),
    spans().find(({ name }) => name === "sign"),
  ];
  expect(request).toMatchObject({ traceId, parentSpanId: parentId });
  expect(request?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } });
  expect(work).toMatchObject({ traceId, parentSpanId: request?.spanId });
  expect(outgoing["traceparent"]).toBe(`00-${traceId}-${work?.spanId}-01`);
  expect(received.join("")).not.toMatch(/secret-/);
  expect(received.join("")).toContain("satchel");
});

test("a failure marks its span by name only and is thrown on", async () => {
  const tracing = await startTracing({ endpoint: endpoint(), serviceName: "satchel" });
  const failing = withSpan("sign", {}, () => Promise.reject(new RangeError("a secret")));
  await expect(failing).rejects.toThrow("a secret");
  await tracing.close();
  expect(isTracing()).toBe(false);
  expect(spans()[0]).toMatchObject({ name: "sign", status: { code: 2 } });
  expect(spans()[0]?.attributes).toContainEqual({ key: "error.type", value: { stringValue: "RangeError" } });
  expect(received.join("")).not.toContain("a secret");
});
