// @module-tag postgresql
/** Updates of gateway calls, and metrics for operators. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import type { TestAccount } from "../support/stack.ts";
import { type GatewayStack, say, startGatewayStack } from "./gateway-harness.ts";

const WATCH = `subscription ($after: String) {
  gatewayCallUpdated(after: $after) { cursor call { callId status costUsd payments { transactionId } } } }`;

let gateway: GatewayStack;
let account: TestAccount;

beforeAll(async () => {
  gateway = await startGatewayStack();
  account = await gateway.account();
});
afterAll(() => gateway?.stop());

interface Update {
  readonly cursor: string;
  readonly call: {
    readonly callId: string;
    readonly status: string;
    readonly costUsd: string;
    readonly payments: object[];
  };
}

async function completeChat(model: string): Promise<string> {
  const body = { model, messages: say("Watch me"), max_tokens: 9 };
  const { response } = await gateway.client(account).chat.completions.create(body).withResponse();
  return response.headers.get("x-satchel-call-id") ?? "";
}

/** Returns the updates until the call whose ID `whileWatching` returns has ended. */
async function watch(after: string, whileWatching: () => Promise<string>): Promise<Update[]> {
  const client = createClient({
    url: `${gateway.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": account.token },
    retryAttempts: 0,
  });
  const seen: Update[] = [];
  const updates = client.iterate<{ gatewayCallUpdated: Update }>({ query: WATCH, variables: { after } });
  const first = updates.next();
  const awaited = await whileWatching();
  for (let next = await first; !next.done; next = await updates.next()) {
    expect(next.value.errors).toBeUndefined();
    const update = next.value.data?.gatewayCallUpdated;
    if (update) seen.push(update);
    if (update?.call.callId === awaited && update.call.status === "COMPLETED") break;
  }
  await client.dispose();
  return seen;
}

const cursorOf = (id: string) => Buffer.from(`${Date.now()}:${id}`).toString("base64url");

it("publishes each call when it is paid and when it ends, and resumes after a lost connection", async () => {
  const before = await completeChat("sandbox/key");
  let watched = "";
  const live = await watch(cursorOf(before), async () => {
    watched = await completeChat("sandbox/exact-v1");
    return watched;
  });
  const moves = live.filter(({ call }) => call.callId === watched);
  expect(moves.at(-1)?.call).toMatchObject({ status: "COMPLETED", costUsd: "0.002", payments: [{}] });
  const missed = await completeChat("sandbox/key");
  const resumed = await watch(live.at(-1)?.cursor ?? "", async () => missed);
  expect(resumed.map(({ call }) => call.callId)).toContain(missed);
});

it("hides calls from other accounts, and rejects an invalid cursor", async () => {
  const otherAccount = await gateway.account();
  const headers = { accept: "text/event-stream" };
  const bad = await gateway.graphql(otherAccount.token, WATCH, { after: "nonsense" }, headers);
  expect(bad.text).toContain("after is not a cursor");
  const callId = await completeChat("sandbox/key");
  const query = `{ node(id: "${Buffer.from(`GatewayCall:${callId}`).toString("base64")}") { id } }`;
  expect((await gateway.graphql(otherAccount.token, query)).json.data.node).toBeNull();
  expect((await gateway.graphql(account.token, query)).json.data.node).not.toBeNull();
  for (const id of [callId, "gwc_1_none"]) {
    const only = `subscription { gatewayCallUpdated(id: "${id}") { cursor } }`;
    expect((await gateway.graphql(otherAccount.token, only, {}, headers)).text).toContain('"code":"not_found"');
  }
});

it("is measured by provider, model and outcome, with the suspended models", async () => {
  for (let n = 0; n < 6; n++) {
    await gateway
      .client(account, { maxRetries: 0 })
      .chat.completions.create({ model: "only/500", messages: say("x") })
      .catch(() => {});
  }
  const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
  const value = (series: string) =>
    Number(
      metrics
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")[1],
    );
  expect(value('satchel_gateway_calls_total{provider="exact-v1",model="sandbox/exact-v1",outcome="completed"}')).toBe(
    1,
  );
  expect(value('satchel_gateway_calls_total{provider="none",model="only/500",outcome="failed"}')).toBe(6);
  expect(value('satchel_gateway_cost_micro_usd_total{provider="exact-v1",model="sandbox/exact-v1"}')).toBe(2_000);
  expect(value('satchel_gateway_first_byte_seconds_count{provider="exact-v1"}')).toBe(1);
  expect(value('satchel_gateway_suspended_models{provider="only-500"}')).toBe(1);
  expect(value('satchel_gateway_suspended_models{provider="key"}')).toBe(0);
});
