/** Bodies that are refused before any message of them runs, and the limit on requests in flight. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { callMessage, callRaw, cancelMessage, send } from "./raw-messages.ts";

const MAX_IN_FLIGHT = 16;
const MAX_MESSAGES = 5;

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account();
});

/** Opens a target that withholds its responses. */
async function openHeldTarget() {
  const held = Promise.withResolvers<void>();
  const { origin, requests } = await openTarget(async (_request, response) => {
    await held.promise;
    response.writeHead(200, { "content-type": "text/plain" }).end("free");
  });
  return { origin, requests, release: () => held.resolve() };
}

describe("a body", () => {
  it.each([
    [
      "with equal ids",
      (call: (id: unknown) => object) => [callMessage("list_paid_tools", { server_url: "x" }, 1), call(1)],
    ],
    [
      "with equal ids of texts",
      (call: (id: unknown) => object) => [call("a"), { jsonrpc: "2.0", id: "a", method: "ping" }],
    ],
    ["that cancels its own call", (call: (id: unknown) => object) => [call(7), cancelMessage(7)]],
    ["that cancels its own call first", (call: (id: unknown) => object) => [cancelMessage(7), call(7)]],
    [
      "of too many messages",
      (call: (id: unknown) => object) => Array.from({ length: MAX_MESSAGES + 1 }, (_, id) => call(id)),
    ],
  ])("%s is refused, and nothing of it runs", async (_name, bodyOf) => {
    const { origin, requests } = await openTarget((_request, response) => respondWith402(response));
    const body = bodyOf((id) => callMessage("fetch_paid_url", { url: origin, max_usd: "1" }, id));
    const { status, messages } = await send(stack, account, body);
    expect([status, messages]).toEqual([
      400,
      [{ jsonrpc: "2.0", id: null, error: { code: -32_600, message: expect.stringContaining("Nothing was done.") } }],
    ]);
    expect(requests).toEqual([]);
  });

  it("is served with ids that differ in type, and with the cancellation of another call", async () => {
    const ids = [1, "1", 2, ""];
    const body = [...ids.map((id) => callMessage("get_wallet", {}, id)), cancelMessage(7)];
    const { status, messages } = await send(stack, account, body);
    expect([status, new Set(messages.map(({ id }) => id))]).toEqual([200, new Set(ids)]);
  });
});

describe("requests in flight", () => {
  it("are limited for each account, and others are served meanwhile", async () => {
    const target = await openHeldTarget();
    const urlOf = (index: number) => `${target.origin}/${index}`;
    const call = (index: number) => callMessage("fetch_paid_url", { url: urlOf(index) }, index);
    const batch = [0, 1, 2, 3].map(call);
    const single = Array.from({ length: MAX_IN_FLIGHT - batch.length }, (_, index) => call(batch.length + index));
    const running = [send(stack, account, batch), ...single.map((message) => send(stack, account, message))];
    await expect.poll(() => target.requests.length).toBe(MAX_IN_FLIGHT);

    for (const body of [call(99), [call(98), call(99)], { jsonrpc: "2.0", id: 1, method: "tools/list" }]) {
      const { status, headers, messages } = await send(stack, account, body);
      expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
      expect(messages).toMatchObject([{ id: null, error: { message: expect.stringContaining("Nothing was done.") } }]);
    }
    expect((await send(stack, account, cancelMessage(99))).status).toBe(202);
    expect(await callRaw(stack, await stack.account(), callMessage("get_wallet", {}))).toHaveProperty("balances");
    expect(target.requests).toHaveLength(MAX_IN_FLIGHT);

    target.release();
    for (const { status } of await Promise.all(running)) expect(status).toBe(200);
    await expect.poll(async () => (await send(stack, account, call(99))).status).toBe(200);
  });

  it("end with a disconnect once their work has ended", async () => {
    const target = await openHeldTarget();
    const disconnect = new AbortController();
    const running = Array.from({ length: MAX_IN_FLIGHT }, (_, index) =>
      send(stack, account, callMessage("fetch_paid_url", { url: `${target.origin}/${index}` }), disconnect.signal),
    );
    await expect.poll(() => target.requests.length).toBe(MAX_IN_FLIGHT);
    disconnect.abort();
    for (const { status } of await Promise.allSettled(running)) expect(status).toBe("rejected");
    await expect.poll(async () => (await send(stack, account, callMessage("get_wallet", {}))).status).toBe(200);
    target.release();
  });

  it("does not count a request that was refused", async () => {
    for (let count = 0; count <= MAX_IN_FLIGHT; count++) {
      const { status } = await send(
        stack,
        account,
        Array.from({ length: MAX_MESSAGES + 1 }, (_, id) => callMessage("get_wallet", {}, id)),
      );
      expect(status).toBe(400);
    }
    const { status } = await send(stack, account, callMessage("get_wallet", {}));
    expect(status).toBe(200);
  });
});
