/** What agents do all day, each errand once and under a key of its own. */
import OpenAI from "openai";
import { type Answer, apiOf } from "../support/api.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import type { Payer } from "../support/satchel.ts";

export interface Errand {
  /** Counts from 1 through the whole run. */
  readonly number: number;
  readonly idempotencyKey: string;
  readonly payer: Payer;
  /** The node that is asked. */
  readonly baseUrl: string;
  readonly sandbox: TestSandbox;
}

export const MODELS = ["exact-v1", "exact-v2", "upto-v2", "key"] as const;
const FAULTS = ["settles-then-500", "settles-then-drops", "settles-then-hangs", "hangs"] as const;
const PATIENCE_MS = 1_500;
export const SENT_USD = "0.01";

/** Where the shop is asked a price of this errand's own, so that it can tell who paid it twice. */
export const pricedPath = (number: number) => `/v1/price/${1_000 + number}`;
/** A stranger's address, and no other errand's. */
export const strangerOf = (number: number) => `0x5000${number.toString(16).padStart(36, "0")}`;
export const sendsOn = (number: number) => (number % 2 === 0 ? "base" : "base-sepolia");

const one = <Item>(items: readonly Item[], number: number): Item => items[number % items.length] as Item;
const api = ({ baseUrl, payer }: Errand) => apiOf(baseUrl, payer.token);
const key = ({ idempotencyKey }: Errand) => ({ "idempotency-key": idempotencyKey });
const told = ({ status, json }: Answer) => `${status} ${json?.error ?? ""}`.trim();
const version = (number: number) => `v${1 + (number % 2)}`;

/** Each answers what became of it, in a word or two; throws where the connection broke. */
export const ERRANDS: Readonly<Record<string, (errand: Errand) => Promise<string>>> = {
  fetch: async (errand) =>
    told(await api(errand).fetch(errand.sandbox.shopUrl + pricedPath(errand.number), {}, key(errand))),

  "fetch on Solana": async (errand) => {
    const url = `${errand.sandbox.shopUrl}/${version(errand.number)}/solana-devnet/weather?errand=${errand.number}`;
    return told(await api(errand).fetch(url, {}, key(errand)));
  },

  "fetch what is metered": async (errand) => {
    const used = 1_000 + (errand.number % 3_000);
    const url = `${errand.sandbox.shopUrl}/${version(errand.number)}/upto/base?use=${used}&errand=${errand.number}`;
    return told(await api(errand).fetch(url, {}, key(errand)));
  },

  "fetch from a shop that fails": async (errand) => {
    const url = `${errand.sandbox.shopUrl}/fault/${one(FAULTS, errand.number)}?errand=${errand.number}`;
    return told(await api(errand).fetch(url, { timeout: PATIENCE_MS }, key(errand)));
  },

  /** Every other signature is never presented. */
  sign: async (errand) => {
    const url = errand.sandbox.shopUrl + pricedPath(errand.number);
    const answer = await api(errand).sign(url, undefined, key(errand));
    if (answer.status === 200 && errand.number % 2 === 0) {
      await fetch(url, { headers: { "x-payment": answer.json.paymentHeader } });
    }
    return told(answer);
  },

  send: async (errand) => {
    const input = {
      network: sendsOn(errand.number),
      to: strangerOf(errand.number),
      amount: SENT_USD,
      idempotencyKey: errand.idempotencyKey,
    };
    const mutation =
      "mutation ($input: SendTokensInput!) { sendTokens(input: $input) { __typename ... on Error { code } } }";
    const { json } = await api(errand).graphql(mutation, { input });
    return json.data?.sendTokens.code ?? json.data?.sendTokens.__typename ?? JSON.stringify(json);
  },

  trade: async (errand) => {
    const buyToken = one(["DAI", "ETH"], errand.number);
    const response = await fetch(`${errand.baseUrl}/api/trade`, {
      method: "POST",
      headers: { "x-service-token": errand.payer.token, "content-type": "application/json", ...key(errand) },
      body: JSON.stringify({ sellToken: "USDC", buyToken, sellAmount: "0.02", network: "base" }),
    });
    const { error } = (await response.json()) as { error?: string };
    return `${response.status} ${error ?? ""}`.trim();
  },

  chat: (errand) => refusable(() => ask(errand, false)),
  /** Some of whom hang up half way. */
  "chat in a stream": (errand) => refusable(() => ask(errand, true)),
};

const PIECES = 40;

async function ask(errand: Errand, stream: boolean): Promise<void> {
  const client = new OpenAI({ apiKey: errand.payer.token, baseURL: `${errand.baseUrl}/v1`, maxRetries: 0 });
  const model = `sandbox/${one(MODELS, errand.number)}`;
  const messages = [{ role: "user" as const, content: "Where does everything belong?" }];
  if (!stream) {
    await client.chat.completions.create({ model, messages, max_tokens: 50 }, { headers: key(errand) });
    return;
  }
  const slowly = { sandbox: { delay_ms: 20, pieces: PIECES } };
  const chunks = await client.chat.completions.create({ model, messages, max_tokens: 60, stream: true, ...slowly });
  let heard = 0;
  for await (const _ of chunks) if (++heard > PIECES / 2 && errand.number % 3 === 0) return;
}

async function refusable(call: () => Promise<void>): Promise<string> {
  try {
    await call();
    return "200";
  } catch (error) {
    if (error instanceof OpenAI.APIError && error.status !== undefined) return `${error.status} ${error.code}`;
    throw error;
  }
}
