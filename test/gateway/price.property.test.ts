import fc from "fast-check";
import { expect, it } from "vitest";
import { bindRequest } from "../../src/gateway/bind-request.ts";
import { readChatRequest } from "../../src/gateway/chat-request.ts";
import type { OfferedModel } from "../../src/gateway/deps.ts";
import { createCatalogue } from "../../src/gateway/discover.ts";
import {
  calculateCostMicroUsd,
  getMaxPaymentMicroUsd,
  limitToReservation,
  type Prices,
} from "../../src/gateway/price.ts";
import { type ProviderConfig, readProviders } from "../../src/gateway/provider-config.ts";
import { countPrompt, countTokens, getMaxTokens } from "../../src/gateway/tokens.ts";
import { readUsage } from "../../src/gateway/usage.ts";

const tokens = fc.nat(2_000_000_000);
const atto = fc.bigInt(0n, 10n ** 18n);
const prices: fc.Arbitrary<Prices> = fc.record({ promptAttoUsd: atto, completionAttoUsd: atto, requestAttoUsd: atto });

it("a cost is the exact sum, rounded up once to a micro-USD", () => {
  fc.assert(
    fc.property(prices, tokens, tokens, (list, prompt, completion) => {
      const exact =
        BigInt(prompt) * list.promptAttoUsd + BigInt(completion) * list.completionAttoUsd + list.requestAttoUsd;
      const cost = calculateCostMicroUsd(list, { prompt, completion });
      expect(cost * 10n ** 12n >= exact && (cost - 1n) * 10n ** 12n < exact).toBe(true);
    }),
  );
});

it("more tokens never cost less, and the charge never exceeds the reservation", () => {
  fc.assert(
    fc.property(prices, tokens, tokens, tokens, (list, prompt, completion, more) => {
      const less = calculateCostMicroUsd(list, { prompt, completion });
      const greater = calculateCostMicroUsd(list, { prompt: prompt + more, completion });
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
          prompt,
        );
        const completion = Math.floor((limit * n * share) / 100);
        expect(calculateCostMicroUsd(list, { prompt, completion }) <= highestMicroUsd).toBe(true);
      },
    ),
  );
});

it("a request without a limit gets the model's limit, in a parameter that the model supports", () => {
  const model: OfferedModel = {
    ...{ id: "a/b", upstreamId: "b", name: "b", ownedBy: "a", created: 0, maxOutputTokens: 77, contextLength: 100 },
    tokensPerPicture: 0,
    ...{
      prices: { promptAttoUsd: 0n, completionAttoUsd: 0n, requestAttoUsd: 0n },
      supportedParameters: ["max_tokens"],
    },
  };
  const request = readChatRequest({ model: "a/b", messages: [{ role: "user", content: "" }], stream: true, seed: 7 });
  expect(JSON.parse(bindRequest(request, { provider: { kind: "key" }, model }, 3).text)).toEqual({
    ...{ model: "b", messages: [{ role: "user", content: "" }], stream: true, seed: 7, max_tokens: 77 },
    stream_options: { include_usage: true },
  });
});

it("ignores invalid usage", () => {
  fc.assert(
    fc.property(fc.anything(), (usage) => {
      const read = readUsage(usage);
      if (read) expect(read.prompt >= 0 && read.completion >= 0 && Number.isInteger(read.prompt)).toBe(true);
    }),
  );
  for (const bad of [-1, 1.5, "7", Number.NaN]) expect(readUsage({ prompt_tokens: bad })).toBeNull();
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
    return models.map((model) => getMaxTokens(count, model) - count.textTokens);
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
    prices: { promptAttoUsd: 0n, completionAttoUsd: 0n, requestAttoUsd: 0n },
    tokensPerPicture: 50_000,
    supportedParameters: ["max_tokens"],
  };
  const request = readChatRequest({ model: "a/b", messages: [{ role: "user", content: "" }] });
  expect(JSON.parse(bindRequest(request, { provider: { kind: "key" }, model }, 100, 10).text).max_tokens).toBe(90);
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
      models: [{ id: "m", contextLength: 1, promptUsdPerToken: 0.1 }],
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
