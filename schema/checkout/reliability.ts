import {
  RELIABILITY_WINDOW_DAYS,
  type RecipeReliability,
  readReliability,
} from "../../src/checkout/orders/reliability.ts";
import { builder } from "../builder.ts";
import { requireAccountId } from "../owner.ts";

const ReliabilityType = builder.objectRef<RecipeReliability>("RecipeReliability").implement({
  description: `The reliability of a merchant's checkout in the last ${RELIABILITY_WINDOW_DAYS} days, across all accounts. Contains the merchants that this account may see, without test merchants.`,
  fields: (t) => ({
    merchantId: t.exposeString("merchantId", { description: "The id of the merchant." }),
    name: t.exposeString("name", { description: "The name of the merchant." }),
    rail: t.exposeString("rail", {
      description: "The route by which orders reach the merchant: `shopify` or `worker`.",
    }),
    recipeId: t.exposeString("recipeId", {
      nullable: true,
      description: "The id of the recipe; null if the merchant has none.",
    }),
    recipeVersion: t.exposeInt("recipeVersion", { nullable: true, description: "The version of the recipe." }),
    runs: t.exposeInt("runs", { description: "The number of ended checkouts that a worker had leased." }),
    successes: t.exposeInt("successes", { description: "The number of runs that the merchant confirmed." }),
    passRate: t.exposeFloat("passRate", {
      nullable: true,
      description:
        "The share of successes, from 0 to 1, among runs that succeeded or failed because of the recipe. Changed prices and stock do not count. Null if there are no such runs.",
    }),
    lastRunAt: t.expose("lastRunAt", { type: "DateTime", description: "Timestamp when the last run ended." }),
    lastSuccessAt: t.expose("lastSuccessAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the last successful run ended.",
    }),
    p50Seconds: t.exposeFloat("p50Seconds", {
      nullable: true,
      description: "Median duration of successful runs, in seconds.",
    }),
    failures: t.field({
      type: "JSON",
      description: 'The number of failures by error code, such as `{ "out_of_stock": 2 }`.',
      resolve: ({ failures }) => failures,
    }),
  }),
});

builder.queryField("checkoutReliability", (t) =>
  t.field({
    type: [ReliabilityType],
    authScopes: { account: true },
    complexity: { field: 50, multiplier: 10 },
    description: `The reliability of checkouts by merchant and recipe in the last ${RELIABILITY_WINDOW_DAYS} days.`,
    resolve: (_root, _args, context) => readReliability(context.deps.db, requireAccountId(context)),
  }),
);

builder.queryField("checkoutReliabilityWindowDays", (t) =>
  t.int({
    authScopes: { account: true },
    description: "The number of days that `checkoutReliability` covers.",
    resolve: () => RELIABILITY_WINDOW_DAYS,
  }),
);
