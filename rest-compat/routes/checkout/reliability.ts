import { z } from "zod";
import { CheckoutReliabilityDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";

const ReliabilityShape = z.object({
  merchant_id: z.string(),
  name: z.string(),
  rail: z.enum(["shopify", "worker"]),
  recipe_id: z.string().nullable(),
  recipe_version: z.int().nullable(),
  runs: z.int(),
  successes: z.int(),
  pass_rate: z.number().nullable().meta({
    description:
      "Success rate of runs that succeeded, failed because of the recipe, or have an unknown outcome; null without such runs.",
  }),
  last_run_at: z.iso.datetime(),
  last_success_at: z.iso.datetime().nullable(),
  p50_seconds: z.number().nullable(),
  failures: z.record(z.string(), z.int()).meta({ description: "Number of failures by `error_code`." }),
});

export const checkoutReliability = defineRoute({
  method: "GET",
  path: "/api/autofill/reliability",
  dialect: "native",
  summary: "Get checkout reliability",
  description:
    "Returns checkout results by merchant and recipe for the last `window_days` days, over all accounts. Orders at test merchants do not count.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: CheckoutReliabilityDocument,
  variables: () => ({}),
  fieldNames: {},
  toResponse: ({ checkoutReliability: rows, checkoutReliabilityWindowDays: days }) =>
    rows && {
      generated_at: new Date().toISOString(),
      window_days: days,
      merchants: rows.map((row) => ({
        merchant_id: row.merchant.merchantId,
        name: row.merchant.name,
        rail: row.rail,
        recipe_id: row.recipeId,
        recipe_version: row.recipeVersion,
        runs: row.runs,
        successes: row.successes,
        pass_rate: row.passRate,
        last_run_at: row.lastRunAt,
        last_success_at: row.lastSuccessAt,
        p50_seconds: row.p50Seconds,
        failures: Object.fromEntries(row.failures.map(({ errorCode, count }) => [errorCode, count])),
      })),
    },
  success: {
    description: "The merchants.",
    schema: z.object({
      generated_at: z.iso.datetime(),
      window_days: z.int(),
      merchants: z.array(ReliabilityShape),
    }),
    example: {
      generated_at: "2026-11-20T17:29:16.000Z",
      window_days: 30,
      merchants: [
        {
          merchant_id: "mer_1795195756000_k3v9Qm2LxT7a",
          name: "Harbour Outfitters",
          rail: "shopify",
          recipe_id: null,
          recipe_version: null,
          runs: 12,
          successes: 9,
          pass_rate: 0.9,
          last_run_at: "2026-11-20T17:29:16.000Z",
          last_success_at: "2026-11-20T17:29:16.000Z",
          p50_seconds: 48.2,
          failures: { out_of_stock: 2, missing_field: 1 },
        },
      ],
    },
  },
  errors: [],
});
