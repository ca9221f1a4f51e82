import { ATTO_USD_DECIMALS } from "../../src/gateway/decimal-price.ts";
import type { OfferedModel } from "../../src/gateway/deps.ts";
import { listModels } from "../../src/gateway/models.ts";
import type { PriceClass, Prices, Rates } from "../../src/gateway/price.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { arrayList, PAGES } from "../paging.ts";
import { INTERNAL } from "../schema-variants.ts";

const usd = (atto: bigint) => formatDecimal(atto, ATTO_USD_DECIMALS);

const CLASS = { type: "Decimal", nullable: true } as const;
const UNSTATED = "Null if the price list states none; such tokens then cost the same as others.";
const classUsd = ({ classAttoUsd }: Rates, name: PriceClass) => {
  const price = classAttoUsd[name];
  return price === undefined ? null : usd(price);
};

const LanguageModelPricing = builder.objectRef<Rates>("LanguageModelPricing").implement({
  description: "The prices of a language model in US dollars, as exact decimals.",
  fields: (t) => ({
    prompt: t.field({
      type: "Decimal",
      description: "The price per prompt token.",
      resolve: (p) => usd(p.promptAttoUsd),
    }),
    completion: t.field({
      type: "Decimal",
      description: "The price per completion token.",
      resolve: (p) => usd(p.completionAttoUsd),
    }),
    request: t.field({
      type: "Decimal",
      description: "The price per call, in addition to its tokens.",
      resolve: (p) => usd(p.requestAttoUsd),
    }),
    cacheRead: t.field({
      ...CLASS,
      description: `The price per prompt token that the provider reads from its cache. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "input_cache_read"),
    }),
    cacheWrite: t.field({
      ...CLASS,
      description: `The price per prompt token that the provider writes to its cache. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "input_cache_write"),
    }),
    cacheWriteHour: t.field({
      ...CLASS,
      description:
        "The price per prompt token that the provider stores in its cache for an hour. Null if the price list states none; such tokens then cost as much as others that it writes to its cache.",
      resolve: (p) => classUsd(p, "input_cache_write_1h"),
    }),
    audio: t.field({
      ...CLASS,
      description: `The price per prompt token of audio. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "audio"),
    }),
    audioOutput: t.field({
      ...CLASS,
      description: `The price per completion token of audio. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "audio_output"),
    }),
    pictureToken: t.field({
      ...CLASS,
      description: `The price per prompt token of pictures. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "image_token"),
    }),
    pictureOutput: t.field({
      ...CLASS,
      description: `The price per completion token of pictures. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "image_output"),
    }),
    reasoning: t.field({
      ...CLASS,
      description: `The price per completion token of reasoning. ${UNSTATED}`,
      resolve: (p) => classUsd(p, "internal_reasoning"),
    }),
    picture: t.field({
      ...CLASS,
      description:
        "The price per picture of the prompt, in addition to its tokens. Null if the price list states none.",
      resolve: (p) => classUsd(p, "image"),
    }),
  }),
});

interface PricingVariant {
  readonly serviceTier: string | null;
  readonly minPromptTokens: number | null;
  readonly rates: Rates;
}

const LanguageModelPricingVariant = builder.objectRef<PricingVariant>("LanguageModelPricingVariant").implement({
  description:
    "Prices of a language model in another service tier or for long prompts. They apply to all tokens of a call.",
  fields: (t) => ({
    serviceTier: t.exposeString("serviceTier", {
      nullable: true,
      description: "The service tier, by the name that the provider reports. Null for the standard one.",
    }),
    minPromptTokens: t.exposeInt("minPromptTokens", {
      nullable: true,
      description: "The minimum number of prompt tokens. Null if the prices apply to prompts of any length.",
    }),
    pricing: t.expose("rates", { type: LanguageModelPricing, description: "The prices." }),
  }),
});

function listVariants(prices: Prices): PricingVariant[] {
  const tiers = Object.entries(prices.tiers ?? {});
  const longPrompts = [[null, prices] as const, ...tiers].flatMap(([serviceTier, { longPrompts: list = [] }]) =>
    list.map((rates) => ({ serviceTier, minPromptTokens: rates.minPromptTokens, rates })),
  );
  return [...tiers.map(([serviceTier, rates]) => ({ serviceTier, minPromptTokens: null, rates })), ...longPrompts];
}

const LanguageModel = builder.objectRef<OfferedModel>("LanguageModel").implement({
  description: "A language model of the gateway, as described by the first provider that offers it.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The ID of the model: `<provider>/<model>`. Not a global id." }),
    name: t.exposeString("name", { description: "The display name of the model." }),
    ownedBy: t.exposeString("ownedBy", { description: "The developer or provider of the model." }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp of the model's release, as reported by its provider. 1970-01-01 if unknown.",
      resolve: ({ created }) => new Date(created * 1_000),
    }),
    contextLength: t.exposeInt("contextLength", {
      description: "The maximum number of tokens, including the completion.",
    }),
    maxOutputTokens: t.exposeInt("maxOutputTokens", {
      nullable: true,
      description: "The maximum number of completion tokens. Null if only the context length bounds it.",
    }),
    pricing: t.expose("prices", { type: LanguageModelPricing, description: "The prices of the model." }),
    pricingVariants: t.field({
      type: [LanguageModelPricingVariant],
      description: "The prices in other service tiers and for long prompts.",
      resolve: ({ prices }) => listVariants(prices),
    }),
    supportedParameters: t.stringList({
      description: "The supported request parameters, by OpenAI's names.",
      resolve: ({ supportedParameters }) => [...supportedParameters],
    }),
  }),
});

const LanguageModelFilter = builder.inputType("LanguageModelFilter", {
  description: "Filters for language models.",
  fields: (t) => ({ q: t.string({ description: "Case-insensitive match on the ID or name. Default: all models." }) }),
});

builder.queryField("models", (t) =>
  t.connection(
    {
      type: LanguageModel,
      ...PAGES,
      authScopes: { account: true },
      description: "The available language models, ordered by ID.",
      args: { filter: t.arg({ type: LanguageModelFilter, description: "Filter. Default: all models." }) },
      resolve: async (_root, args, context, info) => {
        const models = await listModels(context.deps, context.viewer);
        const q = args.filter?.q?.toLowerCase() ?? "";
        const found = models.filter(({ id, name }) => [id, name].some((text) => text.toLowerCase().includes(q)));
        return await resolveConnection(args, context, info, arrayList(found));
      },
    },
    { name: "LanguageModelConnection", description: "A page of language models." },
    { name: "LanguageModelEdge", description: "A language model in a list." },
  ),
);

builder.queryField("allModels", (t) =>
  t.field({
    ...INTERNAL,
    type: [LanguageModel],
    authScopes: { account: true },
    description: "All available language models, ordered by ID, as `GET /v1/models` returns them.",
    resolve: (_root, _args, { deps, viewer }) => listModels(deps, viewer),
  }),
);

builder.queryField("model", (t) =>
  t.field({
    type: LanguageModel,
    nullable: true,
    authScopes: { account: true },
    description: "Returns the language model with the given ID. Null if no provider offers it.",
    args: { id: t.arg.id({ required: true, description: "The ID of the model." }) },
    resolve: async (_root, { id }, { deps, viewer }) =>
      (await listModels(deps, viewer)).find((model) => model.id === id),
  }),
);
