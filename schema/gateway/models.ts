import type { OfferedModel } from "../../src/gateway/deps.ts";
import { listModels } from "../../src/gateway/models.ts";
import { ATTO_USD_DECIMALS, type Prices } from "../../src/gateway/price.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { builder } from "../builder.ts";

const usd = (atto: bigint) => formatDecimal(atto, ATTO_USD_DECIMALS);

const LanguageModelPricing = builder.objectRef<Prices>("LanguageModelPricing").implement({
  description: "What a language model costs, in US dollars as exact decimals.",
  fields: (t) => ({
    prompt: t.string({ description: "For each token that is sent.", resolve: (p) => usd(p.promptAttoUsd) }),
    completion: t.string({ description: "For each token it answers.", resolve: (p) => usd(p.completionAttoUsd) }),
    request: t.string({ description: "For each call, beside its tokens.", resolve: (p) => usd(p.requestAttoUsd) }),
  }),
});

const LanguageModel = builder.objectRef<OfferedModel>("LanguageModel").implement({
  description: "A language model that the gateway can ask, as the first provider that offers it describes it.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "What to name it: `<provider>/<model>`." }),
    name: t.exposeString("name", { description: "What people call it." }),
    ownedBy: t.exposeString("ownedBy", { description: "Who made it, or offers it." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it came out, as far as its provider says; else the beginning of 1970.",
      resolve: ({ created }) => new Date(created * 1_000),
    }),
    contextLength: t.exposeInt("contextLength", { description: "How many tokens a chat may have, with the answer." }),
    maxOutputTokens: t.exposeInt("maxOutputTokens", {
      nullable: true,
      description: "How many tokens an answer may have; null where the context alone bounds it.",
    }),
    pricing: t.expose("prices", { type: LanguageModelPricing, description: "What it costs." }),
    supportedParameters: t.stringList({
      description: "Which parameters of a request it understands, as OpenAI names them.",
      resolve: ({ supportedParameters }) => [...supportedParameters],
    }),
  }),
});

builder.queryField("models", (t) =>
  t.field({
    type: [LanguageModel],
    complexity: { field: 5, multiplier: 20 },
    authScopes: { account: true },
    description: "The language models there are, by id.",
    resolve: (_root, _args, { deps, viewer }) => listModels(deps, viewer),
  }),
);
