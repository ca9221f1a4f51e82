/** Streams: chunks are forwarded immediately, and a long call extends its reservation. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { OwnStack } from "../support/stack.ts";
import { chunk, openScriptedProvider, type ScriptedProvider, startWithProvider } from "./scripted-provider.ts";

let provider: ScriptedProvider;
let stack: OwnStack;

beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startWithProvider(provider);
});
afterAll(async () => {
  vi.useRealTimers();
  await stack?.stop();
  await provider?.close();
});

const postChat = (token: string) =>
  fetch(`${stack.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "own/one", messages: [{ role: "user", content: "Hello" }], stream: true }),
  });

const END = `${chunk("", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;

it("forwards each chunk before the provider sends the next one", async () => {
  const { token } = await stack.account();
  for (let call = 0; call < 4; call++) {
    const opened = Promise.withResolvers<import("node:http").ServerResponse>();
    provider.script((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      opened.resolve(response);
    });
    const pendingResponse = postChat(token);
    const upstream = await opened.promise;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    for (const word of ["first", "second", "third"]) {
      upstream.write(chunk(word));
      // The next chunk is written only after this one has arrived: a delayed chunk would block the test.
      reader ??= (await pendingResponse).body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      expect(Buffer.from(value ?? []).toString()).toContain(word);
    }
    upstream.end(END);
    while (!(await reader?.read())?.done);
  }
});

it("extends the reservation of a call in flight, and stops at its end", async () => {
  const { token, accountId } = await stack.account();
  const { db } = stack.service.deps;
  const opened = Promise.withResolvers<import("node:http").ServerResponse>();
  provider.script((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("first"));
    opened.resolve(response);
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const pendingReply = postChat(token);
  const upstream = await opened.promise;
  const reply = await pendingReply;
  const row = () => db.prisma.transaction.findFirstOrThrow({ where: { accountId, type: "gateway" } });
  // About to be released: only the heartbeat extends the reservation.
  const soon = new Date(Date.now() + 10_000);
  await db.prisma.transaction.updateMany({ where: { accountId, type: "gateway" }, data: { nextCheckAt: soon } });
  vi.advanceTimersByTime(20_000);
  await expect.poll(async () => (await row()).nextCheckAt?.getTime()).toBeGreaterThan(soon.getTime() + 30_000);
  expect((await row()).status).toBe("reserved");
  upstream.end(END);
  expect(await reply.text()).toContain("[DONE]");
  const ended = await row();
  expect([ended.status, ended.nextCheckAt]).toEqual(["settled", null]);
  // The heartbeat has stopped.
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  expect(await auditLedger(db)).toEqual([]);
});
