import { getUsageHistory, type UsageBucket } from "../../src/gateway/usage-history.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { HISTORY_ARGUMENTS } from "../wallet/history-arguments.ts";

const GatewayUsage = builder.objectRef<UsageBucket>("GatewayUsage").implement({
  description: "The usage of one language model in one UTC day or month.",
  fields: (t) => ({
    startsAt: t.expose("startsAt", { type: "DateTime", description: "Timestamp when the day or month begins." }),
    model: t.exposeString("model", { description: "The requested model." }),
    callCount: t.exposeInt("callCount", { description: "The number of calls, without failed calls." }),
    promptTokens: t.exposeFloat("promptTokens", {
      description: "The number of prompt tokens. A `Float`, since sums can exceed the range of `Int`.",
    }),
    completionTokens: t.exposeFloat("completionTokens", {
      description: "The number of completion tokens. A `Float`, since sums can exceed the range of `Int`.",
    }),
    costUsd: t.expose("costMicroUsd", { type: "Usd", description: "The total cost of the calls." }),
  }),
});

builder.objectField(ViewerType, "gatewayUsage", (t) =>
  t.field({
    type: [GatewayUsage],
    nullable: true,
    complexity: { field: 100, multiplier: 1 },
    description:
      "The account's usage of language models by day or month, oldest first, then by model. Periods without usage are omitted.",
    args: HISTORY_ARGUMENTS,
    resolve: async (viewer, length, context) => {
      requireScopedAccountId(context, "transactions:read");
      const { deps } = context;
      await deps.gateway.calls.flush();
      return await getUsageHistory(deps, viewer, length);
    },
  }),
);
