import {
  RELIABILITY_WINDOW_DAYS,
  type RecipeReliability,
  readReliability,
} from "../../src/checkout/orders/reliability.ts";
import { builder } from "../builder.ts";

const ReliabilityType = builder.objectRef<RecipeReliability>("RecipeReliability").implement({
  description: `How a shop's checkout went in the last ${RELIABILITY_WINDOW_DAYS} days, for all accounts; test shops aside.`,
  fields: (t) => ({
    merchantId: t.exposeString("merchantId", { description: "The shop's id." }),
    name: t.exposeString("name", { description: "Its name." }),
    rail: t.exposeString("rail", { description: "How it is bought from: `shopify` or `worker`." }),
    recipeId: t.exposeString("recipeId", {
      nullable: true,
      description: "The recipe it was driven by; null: none of its own.",
    }),
    recipeVersion: t.exposeInt("recipeVersion", { nullable: true, description: "The recipe's version." }),
    runs: t.exposeInt("runs", { description: "Checkouts that a worker took and that have ended." }),
    successes: t.exposeInt("successes", { description: "Those that the shop confirmed." }),
    passRate: t.exposeFloat("passRate", {
      nullable: true,
      description:
        "From 0 to 1, of the runs in which the recipe succeeded or was at fault: prices and stock that changed do not count. Null while there are none.",
    }),
    lastRunAt: t.expose("lastRunAt", { type: "DateTime", description: "When the last one ended." }),
    lastSuccessAt: t.expose("lastSuccessAt", {
      type: "DateTime",
      nullable: true,
      description: "When the last success did.",
    }),
    p50Seconds: t.exposeFloat("p50Seconds", {
      nullable: true,
      description: "How long half of the successes took at most.",
    }),
    failures: t.field({
      type: "JSON",
      description: 'How often what went wrong, by error code: `{ "out_of_stock": 2 }`.',
      resolve: ({ failures }) => failures,
    }),
  }),
});

builder.queryField("checkoutReliability", (t) =>
  t.field({
    type: [ReliabilityType],
    authScopes: { account: true },
    complexity: { field: 50, multiplier: 10 },
    description: `How checkouts went, by shop and recipe, in the last ${RELIABILITY_WINDOW_DAYS} days.`,
    resolve: (_root, _args, { deps }) => readReliability(deps.db),
  }),
);

builder.queryField("checkoutReliabilityWindowDays", (t) =>
  t.int({
    authScopes: { account: true },
    description: "How many days `checkoutReliability` looks back.",
    resolve: () => RELIABILITY_WINDOW_DAYS,
  }),
);
