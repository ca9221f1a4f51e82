/** Complaints about agents: their people see them, administrators decide. */
import type { AgentDispute } from "../../generated/prisma/client.ts";
import { closeDispute, DISPUTE_OUTCOMES, isArbiter, openDispute } from "../../src/agents/disputes.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { findVisible } from "../find-visible.ts";
import { idOf } from "../global-id.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { PAGES, readPage } from "../paging.ts";
import { AgentNode } from "./agents.ts";

const AgentDisputeStatus = builder.enumType("AgentDisputeStatus", {
  description: "How a dispute stands.",
  values: {
    OPEN: { value: "open", description: "Nobody has decided yet." },
    UPHELD: { value: "upheld", description: "The complaint was right." },
    DISMISSED: { value: "dismissed", description: "It was not; it costs no trust." },
  } as const,
});

export const AgentDisputeNode = builder.prismaNode("AgentDispute", {
  id: { field: "id", description: "The dispute's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.agentDispute.findMany({
      select: { id: true },
      where: {
        id: { in: ids },
        ...(isArbiter(context.viewer) ? {} : { agent: { accountId: ownAccountIdWithin(context, "agent:read") } }),
      },
    }),
  ),
  nullable: true,
  description: "A complaint about what an agent did.",
  fields: (t) => ({
    disputeId: t.exposeID("id", { description: "The dispute's own id: `dsp_…`." }),
    status: t.field({
      type: AgentDisputeStatus,
      description: "How it stands.",
      resolve: ({ status }) => status as "open",
    }),
    reason: t.exposeString("reason", { description: "What is complained about." }),
    transactionId: t.exposeString("transactionId", {
      nullable: true,
      description: "The transaction it is about, by its own id; null when it is about none.",
    }),
    openedAt: t.expose("openedAt", { type: "DateTime", description: "When it was opened." }),
    closedAt: t.expose("closedAt", { type: "DateTime", nullable: true, description: "When it was decided." }),
  }),
});

builder.prismaObjectField(AgentNode, "disputes", (t) =>
  t.prismaConnection(
    {
      type: AgentDisputeNode,
      ...PAGES,
      description: "Complaints about it, newest first.",
      resolve: (query, { id: agentId }, _args, { deps }) =>
        readPage(
          query,
          { agentId },
          (page) =>
            deps.db.prisma.agentDispute.findMany({
              ...page,
              where: { agentId },
              orderBy: [{ openedAt: "desc" }, { id: "desc" }],
            }),
          (where) => deps.db.prisma.agentDispute.count({ where }),
        ),
    },
    { name: "AgentDisputeConnection", description: "A page of disputes." },
    { name: "AgentDisputeEdge", description: "A dispute in a list." },
  ),
);

const OpenAgentDisputeInput = builder.inputType("OpenAgentDisputeInput", {
  description: "A complaint about an agent.",
  fields: (t) => ({
    agentRecordId: t.string({
      required: true,
      description: "The agent's own id here, `agt_…`: its registration file's address has it.",
    }),
    transactionId: t.string({ description: "The transaction it is about, by its own id." }),
    reason: t.string({ required: true, description: "What is complained about; its person reads it." }),
  }),
});

const OpenAgentDisputeSuccess = builder.objectRef<{ dispute: AgentDispute }>("OpenAgentDisputeSuccess").implement({
  description: "The dispute is open, and counts against the agent's trust score.",
  fields: (t) => ({ dispute: t.expose("dispute", { type: AgentDisputeNode, description: "The dispute." }) }),
});

builder.mutationField("openAgentDispute", (t) =>
  t.field({
    type: OpenAgentDisputeSuccess,
    description: "Records a complaint about an agent. For administrators and the operator.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "OpenAgentDisputeResult", description: "The dispute, or why there is none." },
    },
    args: { input: t.arg({ type: OpenAgentDisputeInput, required: true, description: "The complaint." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      dispute: await openDispute(deps, viewer, { ...input, transactionId: input.transactionId ?? null }),
    }),
  }),
);

const OUTCOME_MEANINGS = { upheld: "The complaint was right.", dismissed: "It was not." } as const;

const AgentDisputeOutcome = builder.enumType("AgentDisputeOutcome", {
  description: "How a dispute may end.",
  values: Object.fromEntries(
    DISPUTE_OUTCOMES.map((value) => [value.toUpperCase(), { value, description: OUTCOME_MEANINGS[value] }]),
  ) as Record<"UPHELD" | "DISMISSED", { value: "upheld" | "dismissed"; description: string }>,
});

const CloseAgentDisputeInput = builder.inputType("CloseAgentDisputeInput", {
  description: "How a dispute ends.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The dispute's global id." }),
    outcome: t.field({ type: AgentDisputeOutcome, required: true, description: "What is decided." }),
  }),
});

const CloseAgentDisputeSuccess = builder.objectRef<{ dispute: AgentDispute }>("CloseAgentDisputeSuccess").implement({
  description: "The dispute is decided. One that was decided before keeps its outcome.",
  fields: (t) => ({ dispute: t.expose("dispute", { type: AgentDisputeNode, description: "The dispute." }) }),
});

builder.mutationField("closeAgentDispute", (t) =>
  t.field({
    type: CloseAgentDisputeSuccess,
    description: "Decides a dispute. For administrators and the operator.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "CloseAgentDisputeResult", description: "The dispute, or why it stays open." },
    },
    args: { input: t.arg({ type: CloseAgentDisputeInput, required: true, description: "The decision." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const disputeId = idOf("AgentDispute", input.id);
      return { dispute: await closeDispute(deps, viewer, { disputeId, outcome: input.outcome }) };
    },
  }),
);
