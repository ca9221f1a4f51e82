import fc from "fast-check";
import { expect, it } from "vitest";
import { bindRequest } from "../../src/gateway/bind-request.ts";
import { readChatRequest } from "../../src/gateway/chat-request.ts";
import { parsePriceAttoUsd } from "../../src/gateway/decimal-price.ts";
import type { OfferedModel } from "../../src/gateway/deps.ts";
import { createCatalogue } from "../../src/gateway/discover.ts";
import {
  calculateCostMicroUsd,
  calculateMaxCostMicroUsd,
  getMaxPaymentMicroUsd,
  limitToReservation,
  PRICE_CLASSES,
  type Prices,
} from "../../src/gateway/price.ts";
import { type ProviderConfig, readProviders } from "../../src/gateway/provider-config.ts";
import { boundPrompt, countPrompt, countTokens } from "../../src/gateway/tokens.ts";
import { completeUsage, NO_USAGE, readUsage, type Usage } from "../../src/gateway/usage.ts";

const tokens = fc.nat(2_000_000_000);
const atto = fc.bigInt(0n, 10n ** 18n);
const prices: fc.Arbitrary<Prices> = fc.record({
  ...{ promptAttoUsd: atto, completionAttoUsd: atto, requestAttoUsd: atto },
  classAttoUsd: fc.record(Object.fromEntries(PRICE_CLASSES.map((name) => [name, atto])), { requiredKeys: [] }),
});
const plain = (prompt: number, completion: number): Usage => ({ ...NO_USAGE, prompt, completion });
const FREE: Prices = { promptAttoUsd: 0n, completionAttoUsd: 0n, requestAttoUsd: 0n, classAttoUsd: {} };

it("a cost is the exact sum, rounded up once to a micro-USD", () => {
  fc.assert(
    fc.property(prices, tokens, tokens, (list, prompt, completion) => {
      const exact =
        BigInt(prompt) * list.promptAttoUsd + BigInt(completion) * list.completionAttoUsd + list.requestAttoUsd;
      const cost = calculateCostMicroUsd(list, plain(prompt, completion));
      expect(cost * 10n ** 12n >= exact && (cost - 1n) * 10n ** 12n < exact).toBe(true);
    }),
  );
});

it("more tokens never cost less, and the charge never exceeds the reservation", () => {
  fc.assert(
    fc.property(prices, tokens, tokens, tokens, (list, prompt, completion, more) => {
      const less = calculateCostMicroUsd(list, plain(prompt, completion));
      const greater = calculateCostMicroUsd(list, plain(prompt + more, completion));
      expect(greater >= less).toBe(true);
      expect(limitToReservation(greater, less) <= less).toBe(true);
      expect(getMaxPaymentMicroUsd(less) > less).toBe(true);
    }),
  );
});

it("the maximum cost covers every completion within its limits", () => {
  const counts = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(
      prices,
      counts,
      counts,
      fc.integer({ min: 1, max: 16 }),
      fc.nat(100),
      (list, prompt, limit, n, share) => {
        const model: OfferedModel = {
          ...{
            id: "a/b",
            upstreamId: "b",
            name: "b",
            ownedBy: "a",
            created: 0,
            maxOutputTokens: null,
            tokensPerPicture: 0,
          },
          ...{ contextLength: 100_000, prices: list, supportedParameters: [] },
        };
        const request = readChatRequest({
          model: "a/b",
          messages: [{ role: "user", content: "" }],
          max_tokens: limit,
          n,
        });
        const { maxCostMicroUsd: highestMicroUsd } = bindRequest(
          request,
          { provider: { kind: "x402" }, model },
          { atMostTokens: prompt },
        );
        const completion = Math.floor((limit * n * share) / 100);
        expect(calculateCostMicroUsd(list, plain(prompt, completion)) <= highestMicroUsd).toBe(true);
      },
    ),
  );
});

it("a request without a limit gets the model's limit, in a parameter that the model supports", () => {
  const model: OfferedModel = {
    ...{ id: "a/b", upstreamId: "b", name: "b", ownedBy: "a", created: 0, maxOutputTokens: 77, contextLength: 100 },
    tokensPerPicture: 0,
    ...{
      prices: FREE,
      supportedParameters: ["max_tokens"],
    },
  };
  const request = readChatRequest({ model: "a/b", messages: [{ role: "user", content: "" }], stream: true, seed: 7 });
  expect(JSON.parse(bindRequest(request, { provider: { kind: "key" }, model }, { atMostTokens: 3 }).text)).toEqual({
    ...{ model: "b", messages: [{ role: "user", content: "" }], stream: true, seed: 7, max_tokens: 77 },
    stream_options: { include_usage: true },
  });
});

it("the maximum cost covers any distribution of the tokens over the classes", () => {
  const share = fc.nat(100);
  const parts = fc.record({
    ...{ cacheRead: share, cacheWrite: share, audioPrompt: share, reasoning: share, audioCompletion: share },
  });
  fc.assert(
    fc.property(
      prices,
      fc.nat(1_000_000),
      fc.nat(1_000_000),
      fc.nat(10),
      parts,
      (list, prompt, completion, images, some) => {
        const part = (percent: number, whole: number) => Math.floor((whole * percent) / 100);
        const usage: Usage = {
          ...{ ...NO_USAGE, prompt, completion, images },
          ...{ cacheRead: part(some.cacheRead, prompt), cacheWrite: part(some.cacheWrite, prompt) },
          ...{ audioPrompt: part(some.audioPrompt, prompt), reasoning: part(some.reasoning, completion) },
          audioCompletion: part(some.audioCompletion, completion),
        };
        const bound = { prompt: { atMostTokens: prompt }, images, completionTokens: completion };
        expect(calculateCostMicroUsd(list, usage) <= calculateMaxCostMicroUsd(list, bound)).toBe(true);
      },
    ),
  );
});

const NOT_COUNTED = { prompt: async () => 7, completion: async () => 3, images: 0 };

it("completes any usage to whole numbers from zero, of which the parts are not negative", async () => {
  const count = fc.oneof(fc.nat(1_000), fc.constantFrom(null, undefined, -1, 1.5, "7", Number.NaN));
  const names = ["prompt_tokens", "input_tokens", "completion_tokens", "output_tokens", "total_tokens"];
  const cached = ["cache_read_input_tokens", "cache_creation_input_tokens", "prompt_cache_hit_tokens"];
  const report = fc.record(Object.fromEntries([...names, ...cached].map((name) => [name, count])), {
    requiredKeys: [],
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.anything(), report), async (given) => {
      const { prompt, completion, ...parts } = await completeUsage(readUsage(given, null), NOT_COUNTED);
      for (const tokens of [prompt, completion, parts.cacheRead, parts.cacheWrite]) {
        expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
      }
    }),
  );
  for (const bad of [-1, 1.5, "7", Number.NaN]) expect(readUsage({ prompt_tokens: bad }, null)).toBeNull();
});

it.each([
  [
    "reasoning outside the completion, as in the total",
    { total_tokens: 180, completion_tokens_details: { reasoning_tokens: 60 } },
    80,
  ],
  ["reasoning above the completion without a total", { completion_tokens_details: { reasoning_tokens: 60 } }, 80],
  ["reasoning inside the completion", { total_tokens: 120, completion_tokens_details: { reasoning_tokens: 15 } }, 20],
])("counts %s as output", async (_name, more, completion) => {
  const reported = readUsage({ prompt_tokens: 100, completion_tokens: 20, ...more }, null);
  expect(await completeUsage(reported, NOT_COUNTED)).toMatchObject({ prompt: 100, completion, isEstimated: false });
});

it("reads a provider's own cost only in the configured unit", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, cost: 1.5e-6, cost_in_usd_ticks: 25_000 };
  const read = (unit: Parameters<typeof readUsage>[1]) => readUsage(usage, unit)?.reportedCostAttoUsd;
  expect([read(null), read("usd"), read("usd_ticks")]).toEqual([null, 1_500_000_000_000n, 2_500_000_000_000n]);
});

it.each([
  ["0.0000025", 2_500_000_000_000n],
  [2.5e-6, 2_500_000_000_000n],
  ["1e-7", 100_000_000_000n],
  ["1E-18", 1n],
  ["1e-19", 1n],
  [3, 3_000_000_000_000_000_000n],
  ["-1", null],
  ["1e9", null],
  ["", null],
  ["0x10", null],
  [Number.NaN, null],
])("a price of %s is %s atto-USD", (price, attoUsd) => {
  expect(parsePriceAttoUsd(price)).toBe(attoUsd);
});

it("reserves images at the highest known token count or the configured one, up to the context length", async () => {
  const [provider] = readProviders(
    JSON.stringify([
      {
        ...{ name: "own", baseUrl: "https://x.example/v1", kind: "key" },
        models: [{}, { tokensPerPicture: 1_445 }].map((more, n) => ({
          ...{ id: `m${n}`, contextLength: 128_000, promptUsdPerToken: "0.00000015", completionUsdPerToken: "0" },
          ...more,
        })),
      },
    ]),
  );
  const models = await createCatalogue(provider as ProviderConfig, {} as Parameters<typeof createCatalogue>[1])();
  const counts = async (pictures: number) => {
    const picture = { type: "image_url", image_url: { url: "https://pictures.example/a.png", detail: "high" } };
    const text = { type: "text", text: "What is on these?" };
    const content = [text, ...Array.from({ length: pictures }, () => picture)];
    const { body } = readChatRequest({ model: "own/m0", messages: [{ role: "user", content }] });
    const count = await countPrompt(body);
    return models.map((model) => boundPrompt(count, model).atMostTokens - count.textTokens);
  };
  // gpt-4o-mini, eight tiles.
  const [most = 0, listed] = await counts(1);
  expect(most).toBeGreaterThanOrEqual(2_833 + 8 * 5_667);
  expect(listed).toBe(1_445);
  const { textTokens } = await countPrompt(
    readChatRequest({ model: "m", messages: [{ role: "user", content: "What is on these?" }] }).body,
  );
  expect(await counts(5)).toEqual([128_000 - textTokens, 5 * 1_445]);
});

it("the completion limit depends on text tokens only, not on image tokens", () => {
  const model: OfferedModel = {
    ...{ id: "a/b", upstreamId: "b", name: "b", ownedBy: "a", created: 0, maxOutputTokens: null, contextLength: 100 },
    prices: FREE,
    tokensPerPicture: 50_000,
    supportedParameters: ["max_tokens"],
  };
  const request = readChatRequest({ model: "a/b", messages: [{ role: "user", content: "" }] });
  expect(
    JSON.parse(bindRequest(request, { provider: { kind: "key" }, model }, { atMostTokens: 100 }, 10).text).max_tokens,
  ).toBe(90);
});

it("counts tokens of any text, including special tokens", async () => {
  expect(await countTokens("Hello, world")).toBe(3);
  expect(await countTokens("<|endoftext|>")).toBeGreaterThan(1);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2_000 }), async (text) => {
      const count = await countTokens(text);
      expect(count <= Buffer.byteLength(text) + 8 && (text === "" || count > 0)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("reports all problems of GATEWAY_PROVIDERS, without API keys", () => {
  const setting = JSON.stringify([
    { name: "Bad Name", baseUrl: "ftp://x", kind: "barter", apiKey: "hush-hush" },
    {
      name: "ok",
      baseUrl: "https://x.example/v1/",
      kind: "key",
      models: [{ id: "m", contextLength: 1, promptUsdPerToken: -0.1 }],
    },
  ]);
  let problems: readonly string[] = [];
  try {
    readProviders(setting);
  } catch (error) {
    problems = (error as { problems: string[] }).problems;
  }
  for (const place of [
    "[0].name",
    "[0].baseUrl",
    "[0].kind",
    "[1].models[0].promptUsdPerToken",
    "[1].models[0].completionUsdPerToken",
  ]) {
    expect(problems.some((problem) => problem.startsWith(`GATEWAY_PROVIDERS: ${place} `))).toBe(true);
  }
  expect(problems.join()).not.toContain("hush-hush");
  expect(() => readProviders("/nowhere.json")).toThrow("neither JSON nor a file");
});
