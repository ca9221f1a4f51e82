import type { Merchant } from "../../generated/prisma/client.ts";
import {
  RELIABILITY_WINDOW_DAYS,
  type RecipeReliability,
  readReliability,
} from "../../src/checkout/orders/reliability.ts";
import type { FailureCause } from "../../src/checkout/orders/states.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { requireAccountId } from "../owner.ts";
import { MerchantNode, RailEnum } from "./merchants.ts";
import { OrderErrorCodeEnum } from "./order-states.ts";

const FailureCountType = builder
  .objectRef<{ readonly errorCode: FailureCause; readonly count: number }>("CheckoutFailureCount")
  .implement({
    description: "The number of orders that failed for a cause.",
    fields: (t) => ({
      errorCode: t.expose("errorCode", { type: OrderErrorCodeEnum, description: "The cause." }),
      count: t.exposeInt("count", { description: "The number of orders." }),
    }),
  });

const ReliabilityType = builder.objectRef<RecipeReliability>("RecipeReliability").implement({
  description: `The reliability of a merchant's checkout in the last ${RELIABILITY_WINDOW_DAYS} days, across all accounts. Contains the merchants that this account may see, without test merchants.`,
  fields: (t) => ({
    merchant: t.loadable({
      type: MerchantNode,
      description: "The merchant.",
      load: (ids: string[], { deps }: Context) => loadMerchants(deps.db, ids),
      loaderOptions: { cache: false },
      resolve: ({ merchantId }) => merchantId,
    }),
    rail: t.expose("rail", { type: RailEnum, description: "The route by which orders reach the merchant." }),
    recipeId: t.exposeID("recipeId", {
      nullable: true,
      description: "The id of the recipe; null if the merchant has none.",
    }),
    recipeVersion: t.exposeInt("recipeVersion", { nullable: true, description: "The version of the recipe." }),
    runs: t.exposeInt("runs", { description: "The number of ended checkouts that a worker had leased." }),
    successes: t.exposeInt("successes", { description: "The number of runs that the merchant confirmed." }),
    passRate: t.exposeFloat("passRate", {
      nullable: true,
      description:
        "The share of successes, from 0 to 1, among runs that succeeded, failed because of the recipe, or have an unknown outcome. Changed prices and stock do not count. Null if there are no such runs.",
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
      type: [FailureCountType],
      description: "The number of failures by cause.",
      resolve: ({ failures }) =>
        Object.entries(failures).map(([cause, count]) => ({ errorCode: cause as FailureCause, count })),
    }),
  }),
});

/** Loads merchants that the account may see, which `readReliability` returned. */
async function loadMerchants({ prisma }: Database, ids: readonly string[]): Promise<(Merchant | Error)[]> {
  const merchants = await prisma.merchant.findMany({ where: { id: { in: [...ids] } } });
  const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
  return ids.map((id) => byId.get(id) ?? new Error(`The merchant ${id} no longer exists.`));
}

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
