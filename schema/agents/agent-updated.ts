import type { Agent } from "../../generated/prisma/client.ts";
import { agentChannel } from "../../src/agents/agent-events.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { type Update, watchRows } from "../resumable-updates.ts";
import { AgentNode } from "./agents.ts";

const AgentUpdateType = builder.objectRef<Update<Agent>>("AgentUpdate").implement({
  description: "The account's agent, when it is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    agent: t.expose("row", { type: AgentNode, description: "The agent as it now stands." }),
  }),
});

builder.subscriptionField("agentUpdated", (t) =>
  t.field({
    type: AgentUpdateType,
    complexity: 5,
    // Only those that start with what comes next may share one source: one that resumes sees other events first.
    extensions: { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null },
    description:
      "Every move of the account's agent, as it happens: made, registered, revoked, its disputes. With `after`, first what moved since that event, and perhaps again what moved just before it. A client too slow for the events is ended with an error and may resume.",
    args: { after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }) },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountIdWithin(context, "agent:read");
      const { agent } = context.deps.db.prisma;
      return watchRows<Agent>({
        listen: () => context.deps.pubsub.subscribe(agentChannel(accountId)),
        find: (id) => agent.findFirst({ where: { id, accountId } }),
        findSince: ({ updatedAt, id }, take) =>
          agent.findMany({
            where: { accountId, OR: [{ updatedAt: { gt: updatedAt } }, { updatedAt, id: { gt: id } }] },
            orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
            take,
          }),
        after: after ?? null,
      });
    },
    resolve: (update) => update,
  }),
);
