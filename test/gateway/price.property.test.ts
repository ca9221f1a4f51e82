import fc from "fast-check";
import { expect, it } from "vitest";
import { bindRequest } from "../../src/gateway/bind-request.ts";
import { readChatRequest } from "../../src/gateway/chat-request.ts";
import { parsePriceAttoUsd } from "../../src/gateway/decimal-price.ts";
import type { OfferedModel } from "../../src/gateway/deps.ts";
import { createCatalogue } from "../../src/gateway/discover.ts";
import { createListedPrices, listedPricing } from "../../src/gateway/list-prices.ts";
import {
  calculateCostMicroUsd,
  calculateMaxCostMicroUsd,
  determineCostMicroUsd,
  getMaxPaymentMicroUsd,
  limitToReservation,
  PRICE_CLASSES,
  type Prices,
} from "../../src/gateway/price.ts";
import { type ProviderConfig, readProviders } from "../../src/gateway/provider-config.ts";
import { boundPrompt, countPrompt, countText } from "../../src/gateway/tokens.ts";
import { completeUsage, mergeReports, NO_USAGE, readUsage, type Usage } from "../../src/gateway/usage.ts";

const tokens = fc.nat(2_000_000_000);
const atto = fc.bigInt(0n, 10n ** 18n);
const rates = {
  ...{ promptAttoUsd: atto, completionAttoUsd: atto, requestAttoUsd: atto },
  classAttoUsd: fc.record(Object.fromEntries(PRICE_CLASSES.map((name) => [name, atto])), { requiredKeys: [] }),
};
const prices: fc.Arbitrary<Prices> = fc.record(rates);
const long = fc.record({ ...rates, minPromptTokens: fc.integer({ min: 1, max: 1_000_000 }) });
const tier = fc.record({
  ...rates,
  longPrompts: fc
    .array(long, { maxLength: 3 })
    .map((list) => list.toSorted((a, b) => a.minPromptTokens - b.minPromptTokens)),
});
const tieredPrices: fc.Arbitrary<Prices> = fc
  .tuple(tier, fc.record({ flex: tier, priority: tier }, { requiredKeys: [] }))
  .map(([base, tiers]) => ({ ...base, tiers }));
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

it("the maximum cost covers any distribution of the tokens over the classes, and the requested or the standard tier", () => {
  const share = fc.nat(100);
  const parts = fc.record({
    ...{ cacheRead: share, cacheWrite: share, cacheWrite1h: share, audioPrompt: share, imagePrompt: share },
    ...{ reasoning: share, audioCompletion: share, imageCompletion: share },
  });
  const tierName = fc.constantFrom(null, "default", "flex", "priority", "fast");
  fc.assert(
    fc.property(
      tieredPrices,
      fc.tuple(tierName, fc.boolean()),
      fc.nat(1_000_000),
      fc.nat(1_000_000),
      fc.nat(10),
      parts,
      (list, [requested, isServed], prompt, completion, images, some) => {
        const part = (percent: number, whole: number) => Math.floor((whole * percent) / 100);
        const usage: Usage = {
          ...{ ...NO_USAGE, prompt, completion, images },
          ...{ cacheRead: part(some.cacheRead, prompt), cacheWrite: part(some.cacheWrite, prompt) },
          ...{ audioPrompt: part(some.audioPrompt, prompt), reasoning: part(some.reasoning, completion) },
          ...{ imagePrompt: part(some.imagePrompt, prompt), imageCompletion: part(some.imageCompletion, completion) },
          audioCompletion: part(some.audioCompletion, completion),
          cacheWrite1h: part(some.cacheWrite1h, part(some.cacheWrite, prompt)),
          servedTier: isServed ? requested : "default",
        };
        const bound = { prompt: { atMostTokens: prompt }, images, completionTokens: completion, tier: requested };
        expect(determineCostMicroUsd(list, usage, requested) <= calculateMaxCostMicroUsd(list, bound)).toBe(true);
      },
    ),
  );
});

const NOT_COUNTED = { prompt: async () => 7, completion: async () => 3, images: 0, servedTier: null };

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
    return models.map((model) => boundPrompt(count, model).atMostTokens - count.maxTextTokens);
  };
  // gpt-4o-mini, eight tiles.
  const [most = 0, listed] = await counts(1);
  expect(most).toBeGreaterThanOrEqual(2_833 + 8 * 5_667);
  expect(listed).toBe(1_445);
  const { maxTextTokens } = await countPrompt(
    readChatRequest({ model: "m", messages: [{ role: "user", content: "What is on these?" }] }).body,
  );
  expect(await counts(5)).toEqual([128_000 - maxTextTokens, 5 * 1_445]);
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
  expect(await countText("Hello, world")).toEqual({ estimatedTokens: 3, atMostTokens: 3 });
  expect((await countText("<|endoftext|>")).atMostTokens).toBeGreaterThan(1);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2_000 }), async (text) => {
      const { atMostTokens: count } = await countText(text);
      expect(count <= Buffer.byteLength(text) + 8 && (text === "" || count > 0)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("estimates a long text by samples of it, below its bound", async () => {
  const sentence = "Every pocket in its place, and one for what comes. ";
  const text = sentence.repeat(10_000);
  const each = (await countText(sentence)).estimatedTokens;
  const { estimatedTokens, atMostTokens } = await countText(text);
  expect(estimatedTokens / (each * 10_000)).toBeGreaterThan(0.9);
  expect(estimatedTokens / (each * 10_000)).toBeLessThan(1.1);
  expect(atMostTokens).toBeGreaterThan(1.5 * estimatedTokens);
});

const ONE = 10n ** 12n;
const flatRates = (price: bigint) => ({ ...FREE, promptAttoUsd: price * ONE, completionAttoUsd: price * ONE });

it.each([
  [null, null, 20n],
  ["auto", "default", 20n],
  ["flex", "flex", 10n],
  ["flex", null, 10n],
  ["priority", "default", 20n],
  ["fast", "priority", 40n],
  [null, "priority", 40n],
  ["default", "ultrafast", 40n],
  ["on_demand", "on_demand", 20n],
])("prices a call that requested tier %s and was served %s", (requested, servedTier, cost) => {
  const list: Prices = { ...flatRates(2n), tiers: { flex: flatRates(1n), priority: flatRates(4n) } };
  expect(determineCostMicroUsd(list, { ...plain(7, 3), servedTier }, requested)).toBe(cost);
});

it("prices a call with a long prompt by the rates for it, all tokens alike", () => {
  const list: Prices = { ...flatRates(1n), longPrompts: [{ ...flatRates(2n), minPromptTokens: 100 }] };
  expect([99, 100].map((prompt) => calculateCostMicroUsd(list, plain(prompt, 1)))).toEqual([100n, 202n]);
});

it("reads overrides of a price list, and uses the dearer price where a condition is unknown", () => {
  const { longPrompts, ...base } = createListedPrices(
    listedPricing.parse({
      ...{ prompt: "0.000001", completion: "0.000002", input_cache_read: "0.0000001" },
      overrides: [
        { min_prompt_tokens: 200_000, prompt: "0.000002", completion: "0.000003" },
        { utc_start: "16:30", utc_end: "00:30", prompt: "0.0000005", completion: "0.000004" },
      ],
    }),
  );
  expect(base).toMatchObject({ promptAttoUsd: ONE, completionAttoUsd: 4n * ONE });
  expect(longPrompts).toMatchObject([
    {
      ...{ minPromptTokens: 200_000, promptAttoUsd: 2n * ONE, completionAttoUsd: 4n * ONE },
      classAttoUsd: { input_cache_read: ONE / 10n },
    },
  ]);
});

const inOrder = (...reports: unknown[]) =>
  reports.reduce((earlier: unknown, later) => mergeReports(earlier, later), null);

it.each([
  [
    "zeros after counts",
    [
      { prompt_tokens: 9, completion_tokens: 5 },
      { prompt_tokens: 0, completion_tokens: 0 },
    ],
    9,
    5,
  ],
  [
    "zeros before counts",
    [
      { prompt_tokens: 0, completion_tokens: 0 },
      { prompt_tokens: 9, completion_tokens: 5 },
    ],
    9,
    5,
  ],
  [
    "nulls after counts",
    [
      { prompt_tokens: 9, completion_tokens: 5 },
      { prompt_tokens: null, completion_tokens: 6 },
    ],
    9,
    6,
  ],
  ["a last report of output alone", [{ input_tokens: 9, output_tokens: 1 }, { output_tokens: 5 }], 9, 5],
  ["cumulative reports", [1, 2, 5].map((completion_tokens) => ({ prompt_tokens: 9, completion_tokens })), 9, 5],
  ["null after counts", [{ prompt_tokens: 9, completion_tokens: 5 }, null], 9, 5],
])("reads %s of a stream", (_name, reports, prompt, completion) => {
  expect(readUsage(inOrder(...reports), null)).toMatchObject({ prompt, completion });
});

it.each([
  [
    "Anthropic's caches",
    { input_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 } },
    { cacheWrite: 5, cacheWrite1h: 3 },
    6,
  ],
  [
    "DeepSeek's hits and misses alone",
    { prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 2, completion_tokens: 1 },
    { cacheRead: 4 },
    6,
  ],
  [
    "Mistral's cached tokens",
    { prompt_tokens: 6, num_cached_tokens: 4, prompt_audio_seconds: {} },
    { cacheRead: 4 },
    6,
  ],
  [
    "xAI's images",
    { prompt_tokens: 6, prompt_tokens_details: { text_tokens: 2, image_tokens: 4 } },
    { imagePrompt: 4 },
    6,
  ],
  ["no details", { prompt_tokens: 6, prompt_tokens_details: null }, { cacheRead: 0 }, 6],
])("reads %s", (_name, usage, parts, prompt) => {
  expect(readUsage(usage, null)).toMatchObject({ prompt, parts });
});

it("reads a cost without tokens, and adds what a host bills the operator's own key", () => {
  const cost = (usage: object) => readUsage(usage, "usd")?.reportedCostAttoUsd;
  expect(cost({ cost: "0.000002" })).toBe(2n * ONE);
  const byok = { is_byok: true, cost: 1e-6, cost_details: { upstream_inference_cost: 2e-5 } };
  expect([cost(byok), cost({ ...byok, is_byok: false })]).toEqual([21n * ONE, ONE]);
  // What the host bills is unknown, so the list's prices apply.
  for (const details of [{}, { cost_details: null }, { cost_details: { upstream_inference_cost: null } }]) {
    expect(cost({ is_byok: true, cost: 1e-6, prompt_tokens: 1, ...details })).toBeNull();
  }
});

it("disregards a cost that was reported before the rest of the output", async () => {
  const own = { prompt: async () => 5, completion: async () => 9, images: 0, servedTier: null };
  for (const tokens of [{}, { prompt_tokens: 5, completion_tokens: 1 }]) {
    const reported = readUsage({ cost: 0, ...tokens }, "usd");
    expect(await completeUsage(reported, own)).toMatchObject({ reportedCostAttoUsd: 0n });
    const later = await completeUsage(reported, { ...own, hasLaterOutput: true });
    expect(later).toMatchObject({ prompt: 5, completion: 9, reportedCostAttoUsd: null });
  }
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
