/** Tasks of the agents. Each task runs once, with its own idempotency key. */
import OpenAI from "openai";
import { createApiClient, type TestResponse } from "../support/api.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import type { Payer } from "../support/satchel.ts";

export interface AgentTask {
  /** Sequence number in the run, from 1. */
  readonly number: number;
  readonly idempotencyKey: string;
  readonly payer: Payer;
  /** URL of the node that receives the request. */
  readonly baseUrl: string;
  readonly sandbox: TestSandbox;
}

export const MODELS = ["exact-v1", "exact-v2", "upto-v2", "key"] as const;
const FAULTS = ["settles-then-500", "settles-then-drops", "settles-then-hangs", "hangs"] as const;
const FAULT_TIMEOUT_MS = 1_500;
export const SENT_USD = "0.01";

/** Path with a price unique to the task, which reveals a second payment for the same task. */
export const createPricedPath = (number: number) => `/v1/price/${1_000 + number}`;
/** Recipient address unique to the task. */
export const createRecipientAddress = (number: number) => `0x5000${number.toString(16).padStart(36, "0")}`;
export const selectNetwork = (number: number) => (number % 2 === 0 ? "base" : "base-sepolia");

const pickItem = <Item>(items: readonly Item[], number: number): Item => items[number % items.length] as Item;
const createApi = ({ baseUrl, payer }: AgentTask) => createApiClient(baseUrl, payer.token);
const createKeyHeader = ({ idempotencyKey }: AgentTask) => ({ "idempotency-key": idempotencyKey });
const toOutcome = ({ status, json }: TestResponse) => `${status} ${json?.error ?? ""}`.trim();
const selectVersion = (number: number) => `v${1 + (number % 2)}`;

/** Task functions by name. Each returns a short outcome; it throws if the connection breaks. */
export const AGENT_TASKS: Readonly<Record<string, (task: AgentTask) => Promise<string>>> = {
  fetch: async (task) =>
    toOutcome(
      await createApi(task).fetch(task.sandbox.shopUrl + createPricedPath(task.number), {}, createKeyHeader(task)),
    ),

  "fetch on Solana": async (task) => {
    const url = `${task.sandbox.shopUrl}/${selectVersion(task.number)}/solana-devnet/weather?task=${task.number}`;
    return toOutcome(await createApi(task).fetch(url, {}, createKeyHeader(task)));
  },

  "fetch with metering": async (task) => {
    const used = 1_000 + (task.number % 3_000);
    const url = `${task.sandbox.shopUrl}/${selectVersion(task.number)}/upto/base?use=${used}&task=${task.number}`;
    return toOutcome(await createApi(task).fetch(url, {}, createKeyHeader(task)));
  },

  "fetch from a faulty seller": async (task) => {
    const url = `${task.sandbox.shopUrl}/fault/${pickItem(FAULTS, task.number)}?task=${task.number}`;
    return toOutcome(await createApi(task).fetch(url, { timeout: FAULT_TIMEOUT_MS }, createKeyHeader(task)));
  },

  /** Signs a payment. Only every second signature is sent to the seller. */
  sign: async (task) => {
    const url = task.sandbox.shopUrl + createPricedPath(task.number);
    const response = await createApi(task).sign(url, undefined, createKeyHeader(task));
    if (response.status === 200 && task.number % 2 === 0) {
      await fetch(url, { headers: { "x-payment": response.json.paymentHeader } });
    }
    return toOutcome(response);
  },

  send: async (task) => {
    const input = {
      network: selectNetwork(task.number),
      to: createRecipientAddress(task.number),
      amount: SENT_USD,
      idempotencyKey: task.idempotencyKey,
    };
    const mutation =
      "mutation ($input: SendTokensInput!) { sendTokens(input: $input) { __typename ... on Error { code } } }";
    const { json } = await createApi(task).graphql(mutation, { input });
    return json.data?.sendTokens.code ?? json.data?.sendTokens.__typename ?? JSON.stringify(json);
  },

  trade: async (task) => {
    const buyToken = pickItem(["DAI", "ETH"], task.number);
    const response = await fetch(`${task.baseUrl}/api/trade`, {
      method: "POST",
      headers: { "x-service-token": task.payer.token, "content-type": "application/json", ...createKeyHeader(task) },
      body: JSON.stringify({ sellToken: "USDC", buyToken, sellAmount: "0.02", network: "base" }),
    });
    const { error } = (await response.json()) as { error?: string };
    return `${response.status} ${error ?? ""}`.trim();
  },

  chat: (task) => toChatOutcome(() => complete(task, false)),
  /** Streams a completion. Every third client disconnects half way. */
  "chat in a stream": (task) => toChatOutcome(() => complete(task, true)),
};

const PIECES = 40;

async function complete(task: AgentTask, stream: boolean): Promise<void> {
  const client = new OpenAI({ apiKey: task.payer.token, baseURL: `${task.baseUrl}/v1`, maxRetries: 0 });
  const model = `sandbox/${pickItem(MODELS, task.number)}`;
  const messages = [{ role: "user" as const, content: "Where does everything belong?" }];
  if (!stream) {
    await client.chat.completions.create({ model, messages, max_tokens: 50 }, { headers: createKeyHeader(task) });
    return;
  }
  const slow = { sandbox: { delay_ms: 20, pieces: PIECES } };
  const chunks = await client.chat.completions.create({ model, messages, max_tokens: 60, stream: true, ...slow });
  let received = 0;
  for await (const _ of chunks) if (++received > PIECES / 2 && task.number % 3 === 0) return;
}

async function toChatOutcome(call: () => Promise<void>): Promise<string> {
  try {
    await call();
    return "200";
  } catch (error) {
    if (error instanceof OpenAI.APIError && error.status !== undefined) return `${error.status} ${error.code}`;
    throw error;
  }
}
