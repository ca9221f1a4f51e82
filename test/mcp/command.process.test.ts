/** `satchel mcp` in its own process: clients of each version on standard input and output. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { mcp } from "../../cli/commands/mcp.ts";
import { createOutput } from "../../cli/output.ts";
import { openCli } from "../cli/cli-harness.ts";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { ARGUMENTS, openBridge, openBrokenServer } from "./bridge.ts";
import { connect, wrap } from "./clients.ts";

let stack: OwnStack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
  account = await stack.account();
});
afterAll(() => stack.stop());

const environment = (token = account.token) => ({
  SATCHEL_URL: stack.baseUrl,
  SATCHEL_TOKEN: token,
});

describe.each(["v2 default", "v2 auto", "v1"] as const)("with a client of %s", (mode) => {
  it("forwards the list, calls and results of /mcp unchanged", async () => {
    const options = {
      command: process.execPath,
      args: [...ARGUMENTS, "--tools", "wallet,pay"],
      env: { PATH: process.env["PATH"] ?? "", ...environment() },
    };
    const negotiation = mode === "v2 auto" ? { versionNegotiation: { mode: "auto" as const } } : {};
    const client =
      mode === "v1" ? new ClientV1({ name: "t", version: "1" }) : new Client({ name: "t", version: "1" }, negotiation);
    const transport = mode === "v1" ? new TransportV1(options) : new StdioClientTransport(options);
    await client.connect(transport as never);
    const piped = wrap(client as never);
    const direct = await connect(`${stack.baseUrl}/mcp?tools=wallet,pay`, account.token);
    expect(await piped.listTools()).toEqual(await direct.listTools());
    expect(piped.instructions()).toBe(direct.instructions());
    expect((await piped.call("list_transactions")).json).toEqual((await direct.call("list_transactions")).json);
    const seller = await openTarget((_request, response, isPaid) =>
      isPaid ? void response.end("sold") : respondWith402(response),
    );
    const { payment_id } = (await piped.call("check_price", { url: seller.origin })).json;
    const args = { url: seller.origin, payment_id };
    for (const [one, other] of [
      [piped, direct],
      [direct, piped],
    ] as const) {
      expect((await one.call("fetch_paid_url", args)).json).toEqual((await other.call("fetch_paid_url", args)).json);
    }
    expect(new Set(seller.payments).size).toBe(1);
    await Promise.all([piped.close(), direct.close()]);
  });
});

const callOf = (id: unknown, name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const pingOf = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const pongOf = (id: unknown) => ({ jsonrpc: "2.0", id, result: {} });
const errorOf = (id: unknown, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: expect.objectContaining({ code, message: expect.stringContaining(message) }),
});
const byId = (messages: { id: unknown }[]) => messages.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

it("writes messages only to standard output, reports a wrong token, and ends with its input", async () => {
  const bridge = openBridge(environment("satchel_wrong"));
  bridge.send("not JSON", "5", pingOf(7));
  const { code, messages } = await bridge.end();
  expect(code).toBe(0);
  expect(messages.filter(({ id }) => id === null)).toEqual(Array(2).fill(errorOf(null, -32_700, "not sent")));
  expect(messages.filter(({ id }) => id !== null)).toEqual([errorOf(7, -32_603, "refuses SATCHEL_TOKEN")]);
  expect(bridge.stderr()).toContain("refuses SATCHEL_TOKEN");
  expect(JSON.stringify(messages) + bridge.stderr()).not.toContain("satchel_wrong");
});

it("reports a token that is revoked between two calls", async () => {
  const { token, tokenId } = await stack.account();
  const bridge = openBridge(environment(token));
  bridge.send(pingOf(1));
  expect(await bridge.waitForMessages(1)).toEqual([pongOf(1)]);
  await stack.service.deps.db.prisma.apiToken.update({ where: { id: tokenId }, data: { revokedAt: new Date() } });
  bridge.send(pingOf(2));
  expect((await bridge.waitForMessages(2))[1]).toEqual(errorOf(2, -32_603, "refuses SATCHEL_TOKEN"));
});

it("ends lines at newlines only", async () => {
  const bridge = openBridge(environment());
  bridge.send(callOf(1, "one\u2028two\u2029three"));
  expect(await bridge.waitForMessages(1)).toEqual([errorOf(1, -32_602, "Tool one\u2028two\u2029three not found")]);
  bridge.child.stdin.write(`\ufeff${JSON.stringify(pingOf(2))}\r\n\r\n`);
  expect((await bridge.waitForMessages(2))[1]).toEqual(pongOf(2));
  // The end of the input ends the last line.
  bridge.child.stdin.write(JSON.stringify(pingOf(3)));
  expect((await bridge.end()).messages[2]).toEqual(pongOf(3));
});

it("responds by id to lines that are too long or not UTF-8", async () => {
  const bridge = openBridge(environment());
  bridge.send(callOf("long", "x".repeat(5_000_000)));
  expect(await bridge.waitForMessages(1)).toEqual([errorOf("long", -32_000, "too large")]);
  bridge.send(Buffer.from(JSON.stringify(callOf("latin", "caf\u00e9")), "latin1"));
  expect((await bridge.waitForMessages(2))[1]).toEqual(errorOf("latin", -32_700, "UTF-8"));
});

it("returns all digits of an id that the service rounds", async () => {
  const bridge = openBridge(environment());
  bridge.send('{"jsonrpc":"2.0","id":12345678901234567891,"method":"ping"}');
  const [line] = await bridge.waitForLines(1);
  expect(line).toContain('"id":12345678901234567891,');
  expect(line).toContain("-32600");
});

it("responds to each request of a batch", async () => {
  const bridge = openBridge(environment());
  bridge.send([pingOf(1), { jsonrpc: "2.0", method: "notifications/initialized" }, pingOf("1")]);
  expect(await bridge.waitForMessages(2)).toEqual([pongOf(1), pongOf("1")]);
  // The service refuses a batch with an element that is no message.
  bridge.send([pingOf(3), 5, pingOf(4)], []);
  expect(byId((await bridge.waitForMessages(6)).slice(2))).toEqual([
    errorOf(3, -32_600, "invalid message"),
    errorOf(4, -32_600, "invalid message"),
    errorOf(null, -32_600, "batch"),
    errorOf(null, -32_600, "batch"),
  ]);
});

it("finishes a payment after the end of the input", async () => {
  const seller = await openTarget((_request, response, isPaid) =>
    isPaid ? void response.end("sold") : respondWith402(response),
  );
  const bridge = openBridge(environment());
  bridge.send(callOf(1, "fetch_paid_url", { url: seller.origin, max_usd: "1" }));
  const { code, messages } = await bridge.end();
  expect([code, messages]).toEqual([0, [expect.objectContaining({ id: 1, result: expect.anything() })]]);
  expect(JSON.stringify(messages)).toContain("sold");
  expect(seller.payments).toHaveLength(1);
});

it("ends streams of changes with the input", async () => {
  const bridge = openBridge(environment());
  const prefix = "io.modelcontextprotocol";
  const meta = {
    [`${prefix}/protocolVersion`]: "2026-07-28",
    [`${prefix}/clientCapabilities`]: {},
    [`${prefix}/clientInfo`]: { name: "t", version: "1" },
  };
  const params = { notifications: { resourcesListChanged: true }, _meta: meta };
  bridge.send({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
  const [acknowledged] = await bridge.waitForMessages(1);
  expect(acknowledged.method).toContain("acknowledged");
  const { code, messages } = await bridge.end();
  expect([code, messages.length]).toEqual([0, 1]);
});

describe("with a server that the service cannot be", () => {
  const token = "satchel_sk_x";
  const json = { "content-type": "application/json" };
  const events = { "content-type": "text/event-stream" };
  const echo = (body: string, response: ServerResponse) => response.end(JSON.stringify(pongOf(JSON.parse(body).id)));

  it.each<[string, (response: ServerResponse) => void]>([
    ["an event stream with a heartbeat only", (response) => response.writeHead(200, events).end(": keepalive\n\n")],
    ["an event that is cut off", (response) => response.writeHead(200, events).end('data: {"jsonrpc":"2.0"')],
    ["an empty body", (response) => response.writeHead(200, json).end()],
    ["202", (response) => response.writeHead(202).end()],
    ["a page of a proxy", (response) => response.writeHead(502, { "content-type": "text/html" }).end("<html>")],
    ["JSON that is no message", (response) => response.writeHead(404, json).end('{"error":"Not Found"}')],
    ["a response to an id of another type", (response) => response.end(JSON.stringify(pongOf("1")))],
    [
      "a connection that breaks",
      (response) => response.writeHead(200, events).write("data: {", () => response.destroy()),
    ],
  ])("responds to a call that received %s", async (_, respond) => {
    const server = await openBrokenServer((_body, response) => respond(response));
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    // Neither a notification nor a response gets a response.
    bridge.send({ jsonrpc: "2.0", method: "notifications/initialized" }, pongOf(9), pingOf(1));
    const { code, messages } = await bridge.end();
    expect([code, messages]).toEqual([0, [errorOf(1, -32_603, "Repeat it with the same arguments")]]);
    expect(bridge.stderr()).toContain("Repeat it");
  });

  it("forwards the text of requests and responses unchanged, as one line", async () => {
    const result = '{"jsonrpc":"2.0", "id":12345678901234567891, "result":{"price":0.10000000000000000001}}';
    const server = await openBrokenServer((body, response) => {
      if (body.includes("pretty")) response.writeHead(200, json).end(result.replaceAll(", ", ",\r\n  "));
      else response.writeHead(200, events).end(`event: message\r\ndata: ${result.replaceAll(", ", ",\r\ndata:  ")}`);
    });
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    const request = (name: string) =>
      `{ "jsonrpc":"2.0","id":12345678901234567891,"method":"${name}","params":{"n":1.10,"big":12345678901234567891} }`;
    bridge.send(request("pretty"));
    await bridge.waitForLines(1);
    bridge.send(request("stream"));
    const lines = await bridge.waitForLines(2);
    expect(lines.map((line) => line.replaceAll(/, +/g, ", "))).toEqual([result, result]);
    expect(server.requests.map(({ body }) => body)).toEqual([request("pretty"), request("stream")]);
  });

  it("sends the negotiated revision with a batch", async () => {
    const server = await openBrokenServer((body, response) => {
      const message = JSON.parse(body);
      const responses = [message]
        .flat()
        .map(({ id }) => ({ ...pongOf(id), result: { protocolVersion: "2025-03-26" } }));
      response.writeHead(200, json).end(JSON.stringify(Array.isArray(message) ? responses : responses[0]));
    });
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    bridge.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} }, [pingOf(1), pingOf(2)]);
    const [, batch] = await bridge.waitForMessages(2);
    expect(batch.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    expect(server.requests.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([undefined, "2025-03-26"]);
  });

  it("cancels one request of a batch, and the last one with the HTTP request", async () => {
    const open: ServerResponse[] = [];
    const server = await openBrokenServer((body, response) => {
      if (body.includes("cancelled")) response.writeHead(202).end();
      else if (body.startsWith("[")) open.push(response.writeHead(200, events));
      else echo(body, response);
    });
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    const cancellationOf = (requestId: unknown) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    const waitForBatch = async (count: number) => {
      await expect.poll(() => open.length).toBe(count);
      return open[count - 1] as ServerResponse;
    };
    bridge.send([pingOf(1), pingOf(2)]);
    const first = await waitForBatch(1);
    bridge.send(cancellationOf(1), pingOf(3));
    expect(await bridge.waitForMessages(1)).toEqual([pongOf(3)]);
    for (const id of [1, 2]) first.write(`data: ${JSON.stringify(pongOf(id))}\n\n`);
    first.end();
    expect((await bridge.waitForMessages(2))[1]).toEqual(pongOf(2));
    bridge.send([pingOf(4)]);
    const aborted = once(await waitForBatch(2), "close");
    bridge.send(cancellationOf(4));
    await aborted;
    expect((await bridge.end()).messages).toHaveLength(2);
  });

  it("reaches a service that restarts between two calls", async () => {
    const server = await openBrokenServer(echo);
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    bridge.send(pingOf(1));
    await bridge.waitForLines(1);
    await server.stop();
    bridge.send(pingOf(2));
    expect((await bridge.waitForMessages(2))[1]).toEqual(errorOf(2, -32_603, "failed"));
    await openBrokenServer(echo, Number(new URL(server.baseUrl).port));
    bridge.send(pingOf(3));
    expect((await bridge.waitForMessages(3))[2]).toEqual(pongOf(3));
  });

  it("finishes calls in flight for a client that closes its pipes", async () => {
    const open = new Map<number, ServerResponse>();
    const server = await openBrokenServer((body, response) => void open.set(JSON.parse(body).id, response));
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    const exit = once(bridge.child, "exit");
    bridge.send(pingOf(1), pingOf(2), pingOf(3), { ...pingOf(4), method: "subscriptions/listen" });
    await expect.poll(() => open.size).toBe(4);
    const [failing, answered, lasting, listening] = [1, 2, 3, 4].map((id) => open.get(id) as ServerResponse);
    const isReceived = new Promise((resolve) =>
      lasting?.once("finish", () => resolve(true)).once("close", () => resolve(false)),
    );
    bridge.child.stdout.destroy();
    bridge.child.stderr.destroy();
    failing?.writeHead(502).end();
    answered?.end(JSON.stringify(pongOf(2)));
    // The stream of changes ends when the bridge notices the closed pipe.
    await once(listening as ServerResponse, "close");
    // Too long for the buffers of the connection: the bridge must read it.
    lasting?.end(JSON.stringify(pongOf(3)) + " ".repeat(20_000_000));
    expect(await isReceived).toBe(true);
    expect(await exit).toEqual([0, null]);
  });

  it("ends at SIGTERM with calls in flight", async () => {
    const { promise: received, resolve } = Promise.withResolvers<void>();
    const server = await openBrokenServer(() => resolve());
    const bridge = openBridge({ SATCHEL_URL: server.baseUrl, SATCHEL_TOKEN: token });
    bridge.send(pingOf(1));
    await received;
    const exit = once(bridge.child, "exit");
    bridge.child.kill("SIGTERM");
    expect(await exit).toEqual([null, "SIGTERM"]);
  });

  it("ends calls that outlast the input by too long, also those that wait for initialization", async () => {
    const server = await openBrokenServer(() => {});
    vi.stubEnv("SATCHEL_TOKEN", token);
    onTestFinished(() => void vi.unstubAllEnvs());
    const lines: string[] = [];
    const sent = [{ ...pingOf(0), method: "initialize" }, pingOf(1)];
    const input = Readable.from(sent.map((message) => Buffer.from(`${JSON.stringify(message)}\n`)));
    const streams = { input, write: (line: string) => void lines.push(line), lastCallsMs: 1 };
    const output = { ...createOutput(false), note() {} };
    await mcp({ baseUrl: server.baseUrl, values: {}, positionals: [], output }, streams);
    expect(lines.map((line) => JSON.parse(line))).toEqual([0, 1].map((id) => errorOf(id, -32_603, "in time")));
  });
});

it("fails before the first message without a sign-in", async () => {
  const { code, stdout, stderr } = await openCli({ SATCHEL_URL: stack.baseUrl }).run(["mcp"]);
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("Not signed in");
});
