import type { Agent } from "../../generated/prisma/client.ts";
import { agentChannel } from "../../src/agents/agent-events.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { AgentNode } from "./agents.ts";

const AgentUpdateType = builder.objectRef<Update<Agent>>("AgentUpdate").implement({
  description: "A creation or change of the account's agent.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    agent: t.expose("row", { type: AgentNode, description: "The current state of the agent." }),
  }),
});

builder.subscriptionField("agentUpdated", (t) =>
  t.field({
    type: AgentUpdateType,
    ...RESUMABLE,
    description: `Publishes every change of the account's agent: its creation, registration, revocation and disputes. ${describeResumption()}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) => {
      const accountId = requireScopedAccountId(context, "agent:read");
      const { agent } = context.deps.db.prisma;
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(agentChannel(accountId)),
        find: (id) => agent.findFirst({ where: { id, accountId } }),
        findSince: ({ where, ...page }) => agent.findMany({ where: { accountId, ...where }, ...page }),
        after,
      });
    },
    resolve: resolveWithScope("agent:read"),
  }),
);
