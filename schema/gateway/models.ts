import type { OfferedModel } from "../../src/gateway/deps.ts";
import { listModels } from "../../src/gateway/models.ts";
import { ATTO_USD_DECIMALS, type Prices } from "../../src/gateway/price.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { builder } from "../builder.ts";

const usd = (atto: bigint) => formatDecimal(atto, ATTO_USD_DECIMALS);

const LanguageModelPricing = builder.objectRef<Prices>("LanguageModelPricing").implement({
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
  }),
});

const LanguageModel = builder.objectRef<OfferedModel>("LanguageModel").implement({
  description: "A language model of the gateway, as described by the first provider that offers it.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "The ID of the model: `<provider>/<model>`." }),
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
    supportedParameters: t.stringList({
      description: "The supported request parameters, by OpenAI's names.",
      resolve: ({ supportedParameters }) => [...supportedParameters],
    }),
  }),
});

builder.queryField("models", (t) =>
  t.field({
    type: [LanguageModel],
    complexity: { field: 5, multiplier: 20 },
    authScopes: { account: true },
    description: "The available language models, ordered by ID.",
    resolve: (_root, _args, { deps, viewer }) => listModels(deps, viewer),
  }),
);
