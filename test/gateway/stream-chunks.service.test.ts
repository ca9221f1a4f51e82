/** Streams: no chunk waits for the next, and a long call keeps its reservation. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { OwnStack } from "../support/stack.ts";
import { chunk, openScriptedProvider, type ScriptedProvider, startBefore } from "./scripted-provider.ts";

let provider: ScriptedProvider;
let stack: OwnStack;

beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startBefore(provider);
});
afterAll(async () => {
  vi.useRealTimers();
  await stack?.stop();
  await provider?.close();
});

const ask = (token: string) =>
  fetch(`${stack.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "own/one", messages: [{ role: "user", content: "Hello" }], stream: true }),
  });

const END = `${chunk("", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;

it("forwards each chunk while the provider holds the next one back", async () => {
  const { token } = await stack.account();
  for (let call = 0; call < 4; call++) {
    const opened = Promise.withResolvers<import("node:http").ServerResponse>();
    provider.script((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      opened.resolve(response);
    });
    const answering = ask(token);
    const upstream = await opened.promise;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    for (const word of ["first", "second", "third"]) {
      upstream.write(chunk(word));
      // The next is written only once this one has arrived: were any held back, the test would hang.
      reader ??= (await answering).body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      expect(Buffer.from(value ?? []).toString()).toContain(word);
    }
    upstream.end(END);
    while (!(await reader?.read())?.done);
  }
});

it("a call under way holds on to its reservation, and lets go of it at its end", async () => {
  const { token, accountId } = await stack.account();
  const { db } = stack.service.deps;
  const opened = Promise.withResolvers<import("node:http").ServerResponse>();
  provider.script((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("first"));
    opened.resolve(response);
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const answering = ask(token);
  const upstream = await opened.promise;
  const answer = await answering;
  const row = () => db.prisma.transaction.findFirstOrThrow({ where: { accountId, type: "gateway" } });
  // Nearly given back: only its heart keeps it.
  const soon = new Date(Date.now() + 10_000);
  await db.prisma.transaction.updateMany({ where: { accountId, type: "gateway" }, data: { nextCheckAt: soon } });
  vi.advanceTimersByTime(20_000);
  await expect.poll(async () => (await row()).nextCheckAt?.getTime()).toBeGreaterThan(soon.getTime() + 30_000);
  expect((await row()).status).toBe("reserved");
  upstream.end(END);
  expect(await answer.text()).toContain("[DONE]");
  const ended = await row();
  expect([ended.status, ended.nextCheckAt]).toEqual(["settled", null]);
  // Its heart has stopped.
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  expect(await auditLedger(db)).toEqual([]);
});
