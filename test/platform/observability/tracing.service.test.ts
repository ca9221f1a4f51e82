import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createEgress } from "../../../src/platform/egress/egress.ts";
import { createHttpServer } from "../../../src/platform/http/server.ts";
import { startJobs } from "../../../src/platform/jobs/queue.ts";
import { tracedDatabase, tracedEgress, tracedJobs } from "../../../src/platform/observability/instrumentation.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createMetrics } from "../../../src/platform/observability/metrics.ts";
import { isTracing, startTracing, withSpan } from "../../../src/platform/observability/tracing.ts";
import { createEvmRpc } from "../../../src/wallet/evm/rpc.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { createSolanaRpc } from "../../../src/wallet/solana/rpc.ts";
import { createMailbox } from "../../mail/fixtures.ts";
import { send } from "../../mail/senders.ts";
import { createTestDatabase } from "../../support/database.ts";
import { createTestMailer, openMailServer } from "../../support/mail-server.ts";
import { startStack } from "../../support/stack.ts";
import { startRpcProxy } from "../../wallet/rpc-proxy.ts";

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
  const config = {
    BASE_URL: undefined,
    CORS_ORIGINS: [],
    TRUST_PROXY: [],
    ACCESS_LOG: true,
    ACCESS_LOG_ADDRESS: "none" as const,
  };
  return createHttpServer({
    config,
    logger: createLogger("silent"),
    metrics: createMetrics(),
  });
}

/** Returns the attributes as `{ key: value }`. */
function attributesOf({ attributes }: OtlpSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test("without an endpoint, creates no spans and wraps nothing", async () => {
  expect(isTracing()).toBe(false);
  expect(await withSpan("work", {}, async (span) => span)).toBeNull();
  const egress = createEgress({ allowLoopback: true });
  expect(tracedEgress(egress)).toBe(egress);
  await egress.close();
});

test("creates spans for a request and its work in the client's trace", async () => {
  const tracing = await startTracing({ endpoint: endpoint(), serviceName: "satchel" });
  const server = app();
  server.post("/pay/:id", () => withSpan("sign", { attributes: { network: "base" } }, async () => ({ ok: true })));
  const started = Promise.withResolvers<void>();
  server.addHook("onRequest", async () => started.resolve());
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const [traceId, parentId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const headers = { traceparent: `00-${traceId}-${parentId}-01`, "content-type": "application/json" };
  const body = '{"pin":"secret-3"}';
  const posted = request(`${url}/pay/secret-1?token=secret-2`, {
    method: "POST",
    headers: { ...headers, "content-length": body.length },
  });
  posted.flushHeaders();
  // A later body arrives in an event of the connection, outside the span's async context.
  await started.promise;
  posted.end(body);
  const [response] = (await once(posted, "response")) as [IncomingMessage];
  await text(response);
  await server.close();
  await tracing.close();

  const [requestSpan, work] = [
    spans().find(({ name }) => name === "POST /pay/:id"),
    spans().find(({ name }) => name === "sign"),
  ];
  expect(requestSpan).toMatchObject({ traceId, parentSpanId: parentId });
  expect(requestSpan?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } });
  expect(work).toMatchObject({ traceId, parentSpanId: requestSpan?.spanId });
  expect(received.join("")).not.toMatch(/secret-/);
  expect(received.join("")).toContain("satchel");
});

test("creates spans for a job, its statements and its outgoing requests", async () => {
  const { db: opened, close } = await createTestDatabase();
  onTestFinished(close);
  const traceHeaders: (string | undefined)[] = [];
  const target = createServer(({ headers }, response) => {
    traceHeaders.push(headers["traceparent"] as string | undefined);
    response.writeHead(402).end();
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void target.close());
  const { port } = target.address() as AddressInfo;

  const tracing = await startTracing({ endpoint: endpoint(), serviceName: "satchel" });
  const db = tracedDatabase(opened);
  const egress = tracedEgress(createEgress({ allowLoopback: true }));
  const jobs = tracedJobs(await startJobs(db, createLogger("silent")));
  await db.query({ name: "outside", text: "SELECT 1" }, []);
  let runs = 0;
  await jobs.repeat("settle", 100, async () => {
    await db.query({ name: "find-due", text: "SELECT $1::text AS due" }, ["secret-1"]);
    await db.prisma.account.findFirst({ where: { email: "secret-2@example.test" } });
    const url = `http://127.0.0.1:${port}/secret-3?key=secret-4`;
    const { body } = await egress.request({ url, method: "GET", headers: {}, timeoutMs: 5_000 });
    body.destroy();
    runs += 1;
  });
  await vi.waitFor(() => expect(runs).toBeGreaterThan(0), { timeout: 20_000, interval: 20 });
  await jobs.stop();
  await egress.close();
  await tracing.close();

  const job = spans().find(({ name }) => name === "job settle");
  const inside = spans().filter(({ parentSpanId }) => parentSpanId === job?.spanId);
  expect(job?.parentSpanId ?? "").toBe("");
  expect(inside.map(({ name }) => name)).toEqual(["find-due", "findFirst Account", "GET"]);
  expect(inside.map(attributesOf)).toEqual([
    { "db.system.name": "postgresql", "db.query.summary": "find-due" },
    { "db.system.name": "postgresql", "db.operation.name": "findFirst", "db.collection.name": "Account" },
    { "http.request.method": "GET", "server.address": "127.0.0.1", "http.response.status_code": 402 },
  ]);
  expect(spans().filter(({ name }) => name === "outside")).toEqual([]);
  expect(received.join("")).not.toMatch(/secret-/);
  // Targets receive no trace headers.
  expect(traceHeaders[0]).toBeUndefined();
});

test("creates spans for RPC calls and outgoing emails, without addresses, parameters or keys", async () => {
  const methods: string[] = [];
  const respond = ({ id, method }: { id: unknown; method: string }) => {
    methods.push(method);
    return { jsonrpc: "2.0", id, result: method === "getSlot" ? 7 : "0x14a34" };
  };
  const rpc = await startRpcProxy(async (body) => {
    const calls = JSON.parse(body);
    return JSON.stringify(Array.isArray(calls) ? calls.map(respond) : respond(calls));
  });
  onTestFinished(() => rpc.close());
  const mailServer = await openMailServer();
  const { mailer } = createTestMailer(mailServer.url);
  const evm = createEvmRpc(NETWORKS["base-sepolia"], `${rpc.url}/secret-1`);
  const solana = createSolanaRpc(NETWORKS["solana-devnet"], `${rpc.url}/?key=secret-2`);

  const tracing = await startTracing({ endpoint: endpoint(), serviceName: "satchel" });
  await withSpan("job", {}, async () => {
    await evm.request((client) =>
      client.request({ method: "eth_getStorageAt", params: ["0x5ec3e7", "0x0", "latest"] }),
    );
    await solana.request((connection) => connection.getSlot());
    await mailer.send({ to: "secret-3@example.com", subject: "secret-4", text: "secret-5" });
  });
  await evm.request((client) => client.getChainId());
  await tracing.close();

  expect(methods).toEqual(["eth_getStorageAt", "getSlot", "eth_chainId"]);
  const job = spans().find(({ name }) => name === "job");
  const inside = spans().filter(({ parentSpanId }) => parentSpanId === job?.spanId);
  expect(inside.map((span) => ({ name: span.name, ...attributesOf(span) }))).toEqual([
    rpcSpan("eth_getStorageAt", "base-sepolia"),
    rpcSpan("getSlot", "solana-devnet"),
    { name: "SMTP send", "network.protocol.name": "smtp" },
  ]);
  expect(spans()).toHaveLength(4);
  expect(received.join("")).not.toMatch(/secret-|5ec3e7/);
});

const rpcSpan = (method: string, network: string) => ({
  name: method,
  ...{ "rpc.system.name": "jsonrpc", "rpc.method": method, "satchel.network": network },
});

test("creates a trace for a received message, with its statements", async () => {
  const env = { AGENT_MAIL_DOMAIN: "agents.example", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() };
  const stack = await startStack({ networks: [], env });
  const mailbox = await createMailbox(stack, await stack.account());
  await send(stack, { from: "secret-1@ada.example", to: mailbox.address, subject: "secret-2", text: "secret-3" });
  await stack.stop();

  const receiveSpans = spans().filter(({ name }) => name === "SMTP receive");
  expect(receiveSpans.map(attributesOf)).toEqual([{ "network.protocol.name": "smtp" }]);
  expect(receiveSpans[0]?.parentSpanId ?? "").toBe("");
  const inside = spans().filter(({ parentSpanId }) => parentSpanId === receiveSpans[0]?.spanId);
  expect(inside.map((span) => attributesOf(span)["db.system.name"])).toContain("postgresql");
  expect(received.join("")).not.toMatch(/secret-/);
}, 60_000);

test("records only the name of an error in its span and rethrows it", async () => {
  const tracing = await startTracing({ endpoint: endpoint(), serviceName: "satchel" });
  const failing = withSpan("sign", {}, () => Promise.reject(new RangeError("a secret")));
  await expect(failing).rejects.toThrow("a secret");
  await tracing.close();
  expect(isTracing()).toBe(false);
  expect(spans()[0]).toMatchObject({ name: "sign", status: { code: 2 } });
  expect(spans()[0]?.attributes).toContainEqual({ key: "error.type", value: { stringValue: "RangeError" } });
  expect(received.join("")).not.toContain("a secret");
});
