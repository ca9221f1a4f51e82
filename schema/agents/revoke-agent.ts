import { reinstateAgent, revokeAgent } from "../../src/agents/revoke-agent.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { AgentNode } from "./agents.ts";

const RevokeAgentInput = builder.inputType("RevokeAgentInput", {
  description: "The reason for the revocation.",
  fields: (t) => ({
    reason: t.string({ description: "The reason, for the account's own records. At most 1,000 characters." }),
  }),
});

const RevokeAgentSuccess = builder.objectRef<{ agentRecordId: string }>("RevokeAgentSuccess").implement({
  description: "The agent and its credentials are revoked.",
  fields: (t) => ({
    agent: t.prismaField({
      type: AgentNode,
      description: "The agent.",
      resolve: (query, { agentRecordId }, _args, { deps }) =>
        deps.db.prisma.agent.findUniqueOrThrow({ ...query, where: { id: agentRecordId } }),
    }),
  }),
});

builder.mutationField("revokeAgent", (t) =>
  t.field({
    type: RevokeAgentSuccess,
    description:
      "Revokes the account's agent. Its credentials are revoked permanently, and its registration file states `active: false`. Its registry id does not change. Idempotent. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeAgentResult", description: "The agent, or the error that prevented the revocation." },
    },
    args: { input: t.arg({ type: RevokeAgentInput, required: true, description: "The reason." }) },
    resolve: (_root, { input }, { deps, viewer }) => revokeAgent(deps, viewer, { reason: input.reason ?? null }),
  }),
);

const ReinstateAgentSuccess = builder.objectRef<{ agentRecordId: string }>("ReinstateAgentSuccess").implement({
  description: "The agent is reinstated.",
  fields: (t) => ({
    agent: t.prismaField({
      type: AgentNode,
      description: "The agent. Its new credentials are issued shortly afterwards.",
      resolve: (query, { agentRecordId }, _args, { deps }) =>
        deps.db.prisma.agent.findUniqueOrThrow({ ...query, where: { id: agentRecordId } }),
    }),
  }),
});

builder.mutationField("reinstateAgent", (t) =>
  t.field({
    type: ReinstateAgentSuccess,
    description:
      "Reinstates the account's revoked agent. The agent receives new credentials. The revoked credentials remain revoked. Idempotent. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "ReinstateAgentResult", description: "The agent, or the error that prevented the reinstatement." },
    },
    resolve: (_root, _args, { deps, viewer }) => reinstateAgent(deps, viewer),
  }),
);
