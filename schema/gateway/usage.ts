import { getUsageHistory, type UsageBucket } from "../../src/gateway/usage-history.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { HISTORY_ARGUMENTS } from "../wallet/history-arguments.ts";

const GatewayUsage = builder.objectRef<UsageBucket>("GatewayUsage").implement({
  description: "What the calls of one language model used in one UTC day or month.",
  fields: (t) => ({
    startsAt: t.expose("startsAt", { type: "DateTime", description: "When the day or month begins." }),
    model: t.exposeString("model", { description: "The model asked for." }),
    callCount: t.exposeInt("callCount", { description: "How many calls, without those that failed." }),
    promptTokens: t.exposeFloat("promptTokens", { description: "Tokens sent." }),
    completionTokens: t.exposeFloat("completionTokens", { description: "Tokens answered." }),
    costUsd: t.expose("costMicroUsd", { type: "Usd", description: "What they cost." }),
  }),
});

builder.objectField(ViewerType, "gatewayUsage", (t) =>
  t.field({
    type: [GatewayUsage],
    complexity: { field: 100, multiplier: 1 },
    description: "What the account's calls of language models used, oldest first, then by model; only what was used.",
    args: HISTORY_ARGUMENTS,
    resolve: async (viewer, length, context) => {
      ownAccountIdWithin(context, "transactions:read");
      const { deps } = context;
      await deps.gateway.calls.flush();
      return await getUsageHistory(deps, viewer, length);
    },
  }),
);
