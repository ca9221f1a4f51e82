import { reinstateAgent, revokeAgent } from "../../src/agents/revoke-agent.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { AgentNode } from "./agents.ts";

const RevokeAgentInput = builder.inputType("RevokeAgentInput", {
  description: "Why the agent is revoked.",
  fields: (t) => ({
    reason: t.string({ description: "Why, for the account's own record; at most 1,000 characters." }),
  }),
});

const RevokeAgentSuccess = builder.objectRef<{ agentRecordId: string }>("RevokeAgentSuccess").implement({
  description: "The agent is revoked, and so are its credentials.",
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
      "Revokes the account's agent: its credentials are revoked for ever, and its registration file says that it is not active. Its number in the registry stays its own. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeAgentResult", description: "The agent, or why it stays as it is." },
    },
    args: { input: t.arg({ type: RevokeAgentInput, required: true, description: "Why." }) },
    resolve: (_root, { input }, { deps, viewer }) => revokeAgent(deps, viewer, { reason: input.reason ?? null }),
  }),
);

const ReinstateAgentSuccess = builder.objectRef<{ agentRecordId: string }>("ReinstateAgentSuccess").implement({
  description: "The agent is not revoked any more.",
  fields: (t) => ({
    agent: t.prismaField({
      type: AgentNode,
      description: "The agent. Its new credentials follow shortly.",
      resolve: (query, { agentRecordId }, _args, { deps }) =>
        deps.db.prisma.agent.findUniqueOrThrow({ ...query, where: { id: agentRecordId } }),
    }),
  }),
});

builder.mutationField("reinstateAgent", (t) =>
  t.field({
    type: ReinstateAgentSuccess,
    description:
      "Takes the revocation of the account's agent back. It gets new credentials; the revoked ones stay revoked. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "ReinstateAgentResult", description: "The agent, or why it stays as it is." },
    },
    resolve: (_root, _args, { deps, viewer }) => reinstateAgent(deps, viewer),
  }),
);
