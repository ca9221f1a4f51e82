// @module-tag postgresql
/** Two nodes: floods, readers that do not read, failures and rate limits of one account change nothing for another. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl, redisUrl } from "../support/servers.ts";
import { chunk, completion, PRICED } from "./scripted-provider.ts";

const CREDIT = 10_000_000_000n;
const MAX_CALLS = 40;
const UNREAD = 10;
const BIG = chunk("x".repeat(60_000));
/** Far above what sockets and streams buffer, far below what an endless stream sends. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Bytes that the provider sent to each reader that does not read. */
const sentBytes: number[] = [];
/** Responses that the provider withholds. */
const withheld: ServerResponse[] = [];

interface ChatBody {
  readonly messages: readonly { readonly content: string }[];
  readonly stream?: boolean;
}

/** Responds as the prompt requests. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) chunks.push(piece);
  const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString()) as ChatBody;
  const content = messages[0]?.content;
  if (content === "withhold") return void withheld.push(response);
  if (content === "fail") return void response.writeHead(500).end("{}");
  if (content === "limit") return void response.writeHead(429, { "retry-after": "60" }).end("{}");
  if (content === "endless") return writeEndlessly(response);
  if (!stream) return void response.end(completion("Hello."));
  const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } });
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${chunk("Hello.")}data: ${usage}\n\ndata: [DONE]\n\n`);
}

function writeEndlessly(response: ServerResponse): void {
  const index = sentBytes.push(0) - 1;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = () => {
    while (!response.destroyed && response.write(BIG)) sentBytes[index] = (sentBytes[index] ?? 0) + BIG.length;
  };
  response.on("drain", write);
  write();
}

describe.skipIf(postgresqlUrl === null || redisUrl === null)("two nodes", () => {
  let server: Server;
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let busy: Payer;
  let other: Payer;
  const nodes: SatchelProcess[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => void respond(request, response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const own = { name: "own", baseUrl, kind: "key", apiKey: "k", models: [{ id: "own/one", ...PRICED }] };
    sandbox = await openSandbox(["base-sepolia"]);
    satchel = await createSatchel({
      sandbox,
      postgresql: postgresqlUrl,
      env: {
        GATEWAY_PROVIDERS: JSON.stringify([own]),
        GATEWAY_MAX_CALLS_IN_FLIGHT: String(MAX_CALLS),
        REDIS_URL: redisUrl ?? "",
      },
    });
    busy = await satchel.payer({ creditMicroUsd: CREDIT });
    other = await satchel.payer({ creditMicroUsd: CREDIT });
    nodes.push(...(await Promise.all([satchel.start(), satchel.start()])));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(nodes.map((node) => node.kill()));
    server?.closeAllConnections();
    server?.close();
    await satchel?.remove();
    await sandbox?.stop();
  });

  const bodyOf = (content: string, stream: boolean) =>
    JSON.stringify({ model: "own/one", max_tokens: 10, stream, messages: [{ role: "user", content }] });
  const call = (node: SatchelProcess, { token }: Payer, content: string, stream = false) =>
    fetch(`${node.baseUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: bodyOf(content, stream),
    });

  /** Sends a request on a socket from which nothing is read. */
  function sendWithoutReading({ baseUrl }: SatchelProcess, { token }: Payer): void {
    const { hostname, port } = new URL(baseUrl);
    const body = bodyOf("endless", true);
    const socket = connect({ host: hostname, port: Number(port) }).pause();
    sockets.push(socket.on("error", () => {}));
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`,
    );
    socket.write(`content-length: ${body.length}\r\n\r\n${body}`);
  }

  /** Makes calls of the other account, whole and streamed, on both nodes. */
  async function expectServed(): Promise<void> {
    const calls = nodes.flatMap((node) => [false, true].map((stream) => call(node, other, "Hello", stream)));
    for (const response of await Promise.all(calls)) {
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Hello.")]);
    }
  }

  it("serve an account while another fails, is limited, does not read, and floods", async () => {
    for (const node of nodes) {
      for (let n = 0; n < 7; n++) await call(node, busy, "fail");
      expect((await call(node, busy, "fail")).status).toBe(502);
    }
    await expectServed();

    const limiting = await satchel.payer({ creditMicroUsd: CREDIT });
    for (const node of nodes) expect((await call(node, limiting, "limit")).status).toBe(429);
    await expectServed();

    // The other account's success ends the suspension of the busy one.
    for (const node of nodes) for (let n = 0; n < UNREAD; n++) sendWithoutReading(node, busy);
    await vi.waitFor(() => expect(sentBytes).toHaveLength(UNREAD * nodes.length), { timeout: 20_000, interval: 20 });
    await expectServed();

    const flood = nodes.flatMap((node) => Array.from({ length: MAX_CALLS }, () => call(node, busy, "withhold")));
    const rest = (MAX_CALLS - UNREAD) * nodes.length;
    await vi.waitFor(() => expect(withheld).toHaveLength(rest), { timeout: 20_000, interval: 20 });
    const excess = await Promise.race(flood);
    expect([excess.status, excess.headers.get("retry-after")]).toEqual([429, "1"]);
    await expectServed();

    for (const response of withheld) response.end(completion("Late."));
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(rest);
    expect(statuses.filter((status) => status === 429)).toHaveLength(UNREAD * nodes.length);
    for (const bytes of sentBytes) expect(bytes).toBeLessThan(MAX_BUFFERED_BYTES);
    for (const socket of sockets) socket.destroy();

    await satchel.withDatabase(async (db) => {
      const rows = await db.prisma.transaction.findMany({ where: { accountId: other.accountId, type: "gateway" } });
      // 10 tokens at 0.01 US dollars and 5 at 0.02.
      expect(rows.map(({ status, settledMicroUsd }) => [status, settledMicroUsd])).toEqual(
        Array.from({ length: 16 }, () => ["settled", 200_000n]),
      );
      await vi.waitFor(
        async () => {
          const where = { accountId: busy.accountId, type: "gateway", status: "reserved" };
          expect(await db.prisma.transaction.count({ where })).toBe(0);
        },
        { timeout: 20_000, interval: 50 },
      );
      expect(await auditLedger(db)).toEqual([]);
    });
  });
});
