/** Disputes about agents: visible to the account owner, decided by administrators. */
import type { AgentDispute, Prisma } from "../../generated/prisma/client.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { closeDispute, isArbiter, openDispute } from "../../src/agents/disputes.ts";
import { ADMINISTRATION_ERRORS } from "../administration/errors.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { PAGES, prismaList } from "../paging.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { wireEnum } from "../wire-enum.ts";
import { AgentNode } from "./agents.ts";

const AgentDisputeStatus = wireEnum("AgentDisputeStatus", "The status of a dispute.", {
  open: "No decision has been made yet.",
  upheld: "The complaint was justified. It lowers the trust score.",
  dismissed: "The complaint was rejected. It does not lower the trust score.",
});

export const AgentDisputeNode = builder.prismaNode("AgentDispute", {
  id: { field: "id", description: "The dispute's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.agentDispute.findMany({
      select: { id: true },
      where: {
        id: { in: ids },
        ...(isArbiter(context.viewer) ? {} : { agent: { accountId: requireScopedAccountId(context, "agent:read") } }),
      },
    }),
  ),
  nullable: true,
  description: "A complaint about an agent's conduct.",
  fields: (t) => ({
    disputeId: t.exposeID("id", { description: "The id of the dispute: `dsp_…`." }),
    status: t.field({
      type: AgentDisputeStatus,
      description: "The status of the dispute.",
      resolve: ({ status }) => status as "open",
    }),
    reason: t.exposeString("reason", { description: "The reason for the complaint." }),
    agent: t.prismaField({
      type: AgentNode,
      nullable: true,
      description: "The agent that the dispute is about. Null for administrators, unless it is their own.",
      resolve: (query, { agentId: id }, _args, context) =>
        context.viewer?.kind === "operator"
          ? null
          : context.deps.db.prisma.agent.findUnique({
              ...query,
              where: { id, accountId: requireScopedAccountId(context, "agent:read") },
            }),
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The disputed transaction. Null if there is none, and for administrators, unless it is their own.",
      resolve: (query, { transactionId: id }, _args, context) =>
        id === null || context.viewer?.kind === "operator"
          ? null
          : context.deps.db.prisma.transaction.findUnique({
              ...query,
              where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
            }),
    }),
    openedBy: t.string({
      nullable: true,
      description:
        "The account id of the administrator who opened it, or `operator`. Null if it is unknown, and for callers other than administrators.",
      resolve: ({ openedBy }, _args, { viewer }) => (isArbiter(viewer) ? openedBy : null),
    }),
    closedBy: t.string({
      nullable: true,
      description:
        "The account id of the administrator who closed it, or `operator`. Null while it is open, if it is unknown, and for callers other than administrators.",
      resolve: ({ closedBy }, _args, { viewer }) => (isArbiter(viewer) ? closedBy : null),
    }),
    agentRecordId: t.exposeID("agentId", { description: "The id of the agent that the dispute is about." }),
    openedAt: t.expose("openedAt", { type: "DateTime", description: "Timestamp when the dispute was opened." }),
    closedAt: t.expose("closedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the dispute was decided. Null while it is open.",
    }),
  }),
});

lookUpById("agentDispute", "AgentDispute", AgentDisputeNode, "the dispute");

const disputesOf = createConnectionReader(
  { table: "agent_disputes", parentColumn: "agent_id", timeColumn: "opened_at", order: "newest first" },
  ({ deps }, selection: Prisma.AgentDisputeDefaultArgs, ids) =>
    deps.db.prisma.agentDispute.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, agentId) => deps.db.prisma.agentDispute.count({ where: { id, agentId } }),
);

const AgentDisputeEdge = builder.edgeObject({
  type: AgentDisputeNode,
  name: "AgentDisputeEdge",
  description: "A dispute in a list.",
});
const AgentDisputeConnection = builder.connectionObject(
  { type: AgentDisputeNode, name: "AgentDisputeConnection", description: "A page of disputes." },
  AgentDisputeEdge,
);

builder.prismaObjectField(AgentNode, "disputes", (t) =>
  t.connection(
    {
      type: AgentDisputeNode,
      ...PAGES,
      description: "Disputes about the agent, newest first.",
      resolve: ({ id }, args, context, info) => resolveConnection(args, context, info, disputesOf(context, id)),
    },
    AgentDisputeConnection,
    AgentDisputeEdge,
  ),
);

builder.queryField("agentDisputes", (t) =>
  t.connection(
    {
      type: AgentDisputeNode,
      ...PAGES,
      description:
        "The disputes about all agents, newest first. Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.",
      resolve: (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { agentDispute } = context.deps.db.prisma;
        const disputes = prismaList(
          {},
          {},
          (query: Prisma.AgentDisputeFindManyArgs) =>
            agentDispute.findMany({ ...query, orderBy: [{ openedAt: "desc" }, { id: "desc" }] }),
          (query) => agentDispute.count(query),
        );
        return resolveConnection(args, context, info, disputes);
      },
    },
    AgentDisputeConnection,
    AgentDisputeEdge,
  ),
);

const OpenAgentDisputeInput = builder.inputType("OpenAgentDisputeInput", {
  description: "A complaint about an agent.",
  fields: (t) => ({
    agentRecordId: t.id({
      required: true,
      description: "The id of the agent. The URL of its registration file contains the own id.",
      validate: idOf("Agent"),
    }),
    transactionId: t.id({ description: "The id of the disputed transaction, if any.", validate: idOf("Transaction") }),
    reason: t.string({
      required: true,
      description: "The reason, 1 to 1,000 characters. The account owner can read it.",
    }),
  }),
});

const OpenAgentDisputeSuccess = builder.objectRef<{ dispute: AgentDispute }>("OpenAgentDisputeSuccess").implement({
  description: "The dispute is open and lowers the agent's trust score.",
  fields: (t) => ({ dispute: t.expose("dispute", { type: AgentDisputeNode, description: "The dispute." }) }),
});

builder.mutationField("openAgentDispute", (t) =>
  t.field({
    type: OpenAgentDisputeSuccess,
    description:
      "Opens a dispute about an agent. Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's token.",
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "OpenAgentDisputeResult", description: "The dispute, or the error that prevented it." },
    },
    args: { input: t.arg({ type: OpenAgentDisputeInput, required: true, description: "The complaint." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      dispute: await openDispute(deps, viewer, { ...input, transactionId: input.transactionId ?? null }),
    }),
  }),
);

const AgentDisputeOutcome = wireEnum("AgentDisputeOutcome", "The outcome of a dispute.", {
  upheld: "The complaint was justified.",
  dismissed: "The complaint was rejected.",
});

const CloseAgentDisputeInput = builder.inputType("CloseAgentDisputeInput", {
  description: "The dispute to close and its outcome.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The dispute's id.", validate: idOf("AgentDispute") }),
    outcome: t.field({ type: AgentDisputeOutcome, required: true, description: "The outcome of the dispute." }),
    reason: t.string({ description: "The reason, at most 1,000 characters. It is recorded with the act." }),
  }),
});

const CloseAgentDisputeSuccess = builder.objectRef<{ dispute: AgentDispute }>("CloseAgentDisputeSuccess").implement({
  description: "The dispute is closed. A dispute that was closed before retains its outcome.",
  fields: (t) => ({ dispute: t.expose("dispute", { type: AgentDisputeNode, description: "The dispute." }) }),
});

builder.mutationField("closeAgentDispute", (t) =>
  t.field({
    type: CloseAgentDisputeSuccess,
    description:
      "Closes a dispute with an outcome. Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's token.",
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "CloseAgentDisputeResult", description: "The dispute, or the error that prevented its closing." },
    },
    args: { input: t.arg({ type: CloseAgentDisputeInput, required: true, description: "The decision." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const disputeId = input.id;
      return { dispute: await closeDispute(deps, viewer, { disputeId, outcome: input.outcome, reason: input.reason }) };
    },
  }),
);
