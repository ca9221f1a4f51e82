/** REST is unchanged: each route responds to the recorded requests as recorded. `UPDATE_CORPUS=1` records again. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toOpenAiCode } from "../../rest-compat/dialects/openai-failure.ts";
import { FILE_ROUTES } from "../../rest-compat/file-routes.ts";
import { OAUTH_ROUTES } from "../../rest-compat/routes/oauth.ts";
import { OPENAI_ROUTES } from "../../rest-compat/routes/openai.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { COMMON_ERRORS } from "../../rest-compat/status.ts";
import { openRelay, type TestRelay } from "../mail/relay.ts";
import { type OwnStack, startStack, WORKER_TOKEN } from "../support/stack.ts";
import { recordAccount } from "./corpus/account.ts";
import { recordCheckout } from "./corpus/checkout.ts";
import { createConformanceCheck } from "./corpus/conformance.ts";
import { findErrorCodes, findMissingValues } from "./corpus/coverage.ts";
import { recordEveryRoute } from "./corpus/every-route.ts";
import { recordMail } from "./corpus/mail.ts";
import { recordOAuth } from "./corpus/oauth.ts";
import { describeProviders, recordOpenAi } from "./corpus/openai.ts";
import { recordPayments } from "./corpus/payments.ts";
import { type Corpus, createRecorder, type RawExchange } from "./corpus/recorder.ts";
import type { Scenario } from "./corpus/scenario.ts";
import { recordTrading } from "./corpus/trading.ts";

const FILE = new URL("corpus.json", import.meta.url);
const SCENARIOS = [
  recordPayments,
  recordTrading,
  recordMail,
  recordAccount,
  recordCheckout,
  recordOAuth,
  recordOpenAi,
  recordEveryRoute,
];

/** `test/app/start-checks.service.test.ts` has such an RPC. */
const WRONG_NETWORK = { network_degraded: "Requires an RPC that serves another network." };
/** Declared error codes that no recorded request causes, with the reason, by route. */
const UNREACHABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "POST /api/sign-payment": {
    unsupported_network: "An offer on another network is refused as no_acceptable_requirement.",
    ...WRONG_NETWORK,
    rate_limited: "Occurs after 15 seconds behind other payments of the account.",
  },
  "POST /api/x402/fetch": {
    unsupported_network: "An offer on another network is refused as no_acceptable_requirement.",
    ...WRONG_NETWORK,
  },
  "POST /api/trade": WRONG_NETWORK,
  "GET /api/trade/quote": WRONG_NETWORK,
  "GET /api/balance": WRONG_NETWORK,
  "POST /api/purchase-token/create": { forbidden: "A login token has each permission." },
  "GET /api/trade/tokens": {
    unauthorized: "The route requires no credential.",
    internal_error: "The list is constant.",
  },
  "POST /v1/chat/completions": {
    unsupported_network: "A provider on another network is refused as payment_required.",
    ...WRONG_NETWORK,
    provider_refused: "The sandbox's providers state a code of their own.",
  },
};
const ONLY_SHOPIFY = "The catalogue contains only Shopify stores.";
const NOT_OFFERED = "The sandbox's stores do not offer it.";
const ENABLED = "A new webhook is enabled.";
/** Values of enumerations that no recorded exchange contains, with the reason, by route. */
const UNRECORDED_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "POST /api/webhooks": {
    "disabledReason: person": ENABLED,
    "disabledReason: failing": ENABLED,
    "disabledReason: gone": ENABLED,
  },
  "POST /api/autofill/questions/{question_id}/answer": {
    "question.kind: yes_no": "Requires the account owner's session.",
    "question.kind: date": "Requires the account owner's session.",
  },
  "GET /api/autofill/products/search": { "products[].merchant.rail: worker": ONLY_SHOPIFY },
  "GET /api/autofill/products/lookup": { "merchant.rail: worker": ONLY_SHOPIFY },
  "POST /api/autofill/shopify/quote": {
    "fulfillment_options[].type: pickup_point": NOT_OFFERED,
    "fulfillment_options[].type: local_delivery": NOT_OFFERED,
    "unfulfillable.code: pickup_only": NOT_OFFERED,
    "unfulfillable.code: minimum_not_met": NOT_OFFERED,
  },
};

let relay: TestRelay;
let stacks: OwnStack[] = [];
let recorded: Corpus;
let raw: readonly RawExchange[];
let document: unknown;

beforeAll(async () => {
  relay = await openRelay();
  const stack = await startStack({
    networks: ["base", "base-sepolia"],
    env: ({ llmUrl }) => ({
      ...{ SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", CARD_SECURITY_CODE: "keep", WORKER_TOKEN },
      GATEWAY_PROVIDERS: describeProviders(String(llmUrl)),
    }),
  });
  stacks = [stack];
  const { sandbox } = stack;
  if (!sandbox) throw new Error("The sandbox has not started.");
  const closed = "http://127.0.0.1:1";
  const bare = await startStack({
    env: {
      ...{ RPC_URL_BASE: closed, RPC_URL_BASE_SEPOLIA: closed, DEX_URL: String(sandbox.dexUrl), DEX_API_KEY: "key" },
      GATEWAY_PROVIDERS: describeProviders(String(sandbox.llmUrl)),
      DYNAMIC_CLIENT_REGISTRATION: "0",
    },
  });
  stacks.push(bare);
  const named: [url: string, name: string][] = [
    [stack.baseUrl, "service"],
    [bare.baseUrl, "service"],
    [sandbox.shopUrl, "seller"],
    ...sandbox.stores.map(({ name, url }): [string, string] => [url, name]),
  ];
  const recorder = createRecorder(new Map(named.map(([url, name]) => [new URL(url).port, name])));
  recorded = recorder.corpus;
  raw = recorder.raw;
  document = (await stack.rest(null, "GET", "/openapi.json")).json;
  const [send, sendToBare] = [recorder.to(stack), recorder.to(bare)];
  const scenario: Scenario = { stack: { ...stack, sandbox }, send, bare, sendToBare, relay };
  for (const record of SCENARIOS) await record(scenario);
  if (process.env["UPDATE_CORPUS"]) writeFileSync(FILE, formatCorpus(recorded));
}, 300_000);
afterAll(async () => {
  for (const stack of stacks) await stack.stop();
  await relay?.stop();
});

/** Formats a corpus with one line for each request and each response. */
function formatCorpus(corpus: Corpus): string {
  const routes = Object.entries(corpus).map(([route, exchanges]) => {
    const parts = Object.entries(exchanges).map(
      ([name, { request, response }]) =>
        `  ${JSON.stringify(name)}: {\n   "request": ${JSON.stringify(request)},\n   "response": ${JSON.stringify(response)}\n  }`,
    );
    return ` ${JSON.stringify(route)}: {\n${parts.join(",\n")}\n }`;
  });
  return `{\n${routes.join(",\n")}\n}\n`;
}

const exchangesOf = (route: string) => Object.values(recorded[route] ?? {});

it("every exchange is as recorded", () => {
  const expected = JSON.parse(readFileSync(FILE, "utf8")) as Corpus;
  for (const [route, exchanges] of Object.entries(expected)) {
    for (const [name, exchange] of Object.entries(exchanges)) {
      expect.soft(recorded[route]?.[name], `${route}: ${name}`).toEqual(exchange);
    }
    expect(Object.keys(recorded[route] ?? {})).toEqual(Object.keys(exchanges));
  }
  expect(Object.keys(recorded)).toEqual(Object.keys(expected));
});

it("every exchange fits the OpenAPI document", () => {
  const check = createConformanceCheck(document);
  // The proxy passes on responses of its targets, which have any body.
  const own = raw.filter(({ name }) => !name.endsWith("target"));
  const problems = own.flatMap((exchange) => {
    const problem = check(exchange);
    return problem === null ? [] : [`${exchange.route}: ${exchange.name}: ${problem}`];
  });
  expect(problems).toEqual([]);
});

describe("the corpus contains", () => {
  const native = [...ROUTES, ...FILE_ROUTES].map((route) => {
    const codes = [...COMMON_ERRORS, ...route.errors].filter((code) => code !== "payload_too_large" || route.body);
    // `test/platform/database/unavailable.service.test.ts` covers every dialect.
    codes.splice(codes.indexOf("service_unavailable"), 1);
    // `test/accounts/freeze/operations.service.test.ts` covers freezes.
    const ofState = codes.filter((code) => code !== "account_frozen" && code !== "service_frozen");
    return { name: `${route.method} ${route.path}`, codes: ofState as string[] };
  });
  const openAi = OPENAI_ROUTES.map(({ method, path, errors }) => ({
    name: `${method} ${path}`,
    codes: errors.map(toOpenAiCode),
  }));
  const oauth = OAUTH_ROUTES.flatMap(({ methods, path }) =>
    methods.map((method) => ({ name: `${method} ${path}`, codes: [] as string[] })),
  );

  it.each([...native, ...openAi, ...oauth])("a success and each error of $name", ({ name, codes }) => {
    const exchanges = exchangesOf(name);
    const succeeds = ({ response }: { response: { status: number } }) => response.status < 400;
    expect(exchanges.some((exchange) => succeeds(exchange) && !("method" in exchange.request))).toBe(true);
    const found = findErrorCodes(exchanges);
    expect([...new Set(codes)].filter((code) => !found.has(code))).toEqual(Object.keys(UNREACHABLE[name] ?? {}));
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "each value of the enumerations of %s",
    (name, route) => {
      const exchanges = exchangesOf(name).filter(({ response }) => response.status < 300);
      const bodies = exchanges.map(({ response }) => response.body);
      const queries = exchangesOf(name).map(({ request }) =>
        Object.assign({}, ...((request["query"] as object[] | undefined) ?? [])),
      );
      const sent = exchangesOf(name).map(({ request }) => request["body"]);
      const missing = [
        ...findMissingValues(route.success.schema, "output", bodies),
        ...findMissingValues(route.query, "input", queries),
        ...(route.body ? findMissingValues(route.body, "input", sent) : []),
      ];
      expect(missing).toEqual(Object.keys(UNRECORDED_VALUES[name] ?? {}));
    },
  );
});
