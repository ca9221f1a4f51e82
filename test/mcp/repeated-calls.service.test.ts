/** One-step calls that a client repeats while, or after, it no longer awaits the first one: no call pays twice. */
// @module-tag postgresql
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { connect, MODES, type Mode, type TestClient } from "./clients.ts";
import { type HeldSeller, openHeldSeller } from "./held-seller.ts";
import { callMessage, callRaw, cancelMessage, send } from "./raw-messages.ts";

let stack: Stack;
let account: TestAccount;
let seller: HeldSeller;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account();
  seller = await openHeldSeller();
});

const SOLD = { untrusted_content: { text: "sold" } };
const distinct = ({ payments }: Pick<HeldSeller, "payments">) => new Set(payments).size;
const fetchMessage = (id: unknown = 1, more: object = {}) =>
  callMessage("fetch_paid_url", { url: seller.url, ...more }, id);
const call = (message: object) => callRaw(stack, account, message);
/** Repeats a call until no equal one is in flight. */
async function callWhenFree(message: object, make: (message: object) => Promise<unknown> = call) {
  // biome-ignore lint/suspicious/noExplicitAny: results have several shapes.
  let json: any;
  await expect
    .poll(async () => {
      json = await make(message);
      return json.error?.code;
    })
    .not.toBe("idempotency_in_flight");
  return json;
}

/** Connects a client whose requests that cancel a call can be awaited. */
async function connectCancelling(mode: Mode): Promise<{ client: TestClient; cancelled(): Promise<unknown> }> {
  const cancels: Promise<Response>[] = [];
  const fetchWith: typeof fetch = (input, init) => {
    const response = fetch(input, init);
    if (String(init?.body).includes("notifications/cancelled")) cancels.push(response);
    return response;
  };
  const client = await connect(`${stack.baseUrl}/mcp`, account.token, mode, {}, () => {}, fetchWith);
  onTestFinished(() => client.close());
  return { client, cancelled: () => Promise.all(cancels) };
}

it.each(MODES)("a call of the client %s that is cancelled and repeated pays once", async (mode) => {
  const { client, cancelled } = await connectCancelling(mode);
  const args = { url: seller.url, max_usd: "1" };
  const timeout = new AbortController();
  const first = client.call("fetch_paid_url", args, timeout.signal);
  await seller.paid;
  timeout.abort();
  await expect(first).rejects.toThrow();
  await cancelled();
  const isLegacy = mode === "v1" || mode === "v2 default";
  if (isLegacy) {
    const { json } = await client.call("fetch_paid_url", args);
    expect(json.error).toMatchObject({
      code: "idempotency_in_flight",
      money: expect.stringContaining("No second payment"),
      retry_after_seconds: 5,
    });
  }
  seller.release();
  const repeated = await callWhenFree(args, async (given) => (await client.call("fetch_paid_url", given)).json);
  expect(repeated.content).toMatchObject(SOLD);
  expect(distinct(seller)).toBe(1);
  // The repeated call was delivered.
  expect((await client.call("fetch_paid_url", args)).json.content).toMatchObject(SOLD);
  expect(distinct(seller)).toBe(2);
});

describe("while a call is in flight", () => {
  let first: Promise<{ content: object }>;
  beforeEach(async () => {
    first = call(fetchMessage());
    await seller.paid;
  });

  it("refuses equal calls, and is delivered by its own response", async () => {
    const refused = await Promise.all([call(fetchMessage(2)), call(fetchMessage(3, { max_usd: "1" }))]);
    expect(refused.map(({ error }) => error.code)).toEqual(["idempotency_in_flight", "idempotency_in_flight"]);
    expect(distinct(seller)).toBe(1);
    seller.release();
    expect((await first).content).toMatchObject(SOLD);
    expect((await call(fetchMessage())).content).toMatchObject(SOLD);
    expect(distinct(seller)).toBe(2);
  });

  it("permits other calls: another request, a key, another token, and REST", async () => {
    const { token } = await stack.account();
    const others = [
      call(callMessage("fetch_paid_url", { url: `${seller.url}/other` })),
      call(callMessage("fetch_paid_url", { url: seller.url, method: "POST", body: {} })),
      call(fetchMessage(2, { idempotency_key: "another" })),
      callRaw(stack, { token }, fetchMessage()),
    ];
    for (const { content } of await Promise.all(others)) expect(content).toMatchObject(SOLD);
    const path = `/api/x402/fetch?url=${encodeURIComponent(seller.url)}&method=GET`;
    expect(await stack.rest(account.token, "POST", path)).toMatchObject({ status: 200, text: "sold" });
    expect(distinct(seller)).toBe(6);
    seller.release();
    expect((await first).content).toMatchObject(SOLD);
  });

  it.each([
    ["its own", 1, 1],
    ["another", 2, 2],
    ["another of the same digits", "1", 2],
  ])(
    "with a cancellation by %s id (%j), that call and the repeated one make %d payments",
    async (_name, id, purchases) => {
      expect((await send(stack, account, cancelMessage(id))).status).toBe(202);
      seller.release();
      expect((await first).content).toMatchObject(SOLD);
      expect((await callWhenFree(fetchMessage())).content).toMatchObject(SOLD);
      expect(distinct(seller)).toBe(purchases);
    },
  );

  it("ignores the cancellation of another token", async () => {
    await send(stack, await stack.account(), cancelMessage(1));
    seller.release();
    await first;
    await callWhenFree(fetchMessage());
    expect(distinct(seller)).toBe(2);
  });
});

it("does not pay in a call that began before an equal one ended, even if its price arrives later", async () => {
  const prices = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let requests = 0;
  const { origin, payments } = await openTarget(async (_request, response, isPaid) => {
    if (isPaid) return void response.writeHead(200).end("sold");
    const index = requests++;
    asked[index]?.resolve();
    await prices[index]?.promise;
    respondWith402(response);
  });
  const begin = (id: number) => call(callMessage("fetch_paid_url", { url: origin }, id));
  const first = begin(1);
  await asked[0].promise;
  const second = begin(2);
  await asked[1].promise;
  prices[0].resolve();
  expect((await first).http_status).toBe(200);
  prices[1].resolve();
  expect((await second).error.code).toBe("idempotency_in_flight");
  expect(distinct({ payments })).toBe(1);
});

it("reads a free resource in equal calls at the same time", async () => {
  const arrived = Promise.withResolvers<void>();
  let requests = 0;
  const { origin } = await openTarget(async (_request, response) => {
    if (++requests === 2) arrived.resolve();
    await arrived.promise;
    response.writeHead(200, { "content-type": "text/plain" }).end("free");
  });
  const both = await Promise.all([1, 2].map((id) => call(callMessage("fetch_paid_url", { url: origin }, id))));
  for (const { content } of both) expect(content).toMatchObject({ untrusted_content: { text: "free" } });
});
