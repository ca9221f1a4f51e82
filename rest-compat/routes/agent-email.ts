/** Routes that read and create the agent's mailbox (spec sections 2.5 and 3.3). */
import { z } from "zod";
import { type AgentEmailAliasFragment, AgentEmailCreateDocument, AgentEmailDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const AliasShape = z.object({
  hasEmail: z.literal(true),
  emailAddress: z.string().meta({ description: "`agent-<agent id>@<agent mail domain>`." }),
  displayName: z.string().meta({ description: "The display name of the sender in outgoing email." }),
  walletAddress: z.string().meta({ description: "The address of the agent's wallet." }),
  agentId: z.int().meta({ description: "The agent's ID in the registry, starting at 0." }),
  isActive: z
    .boolean()
    .meta({ description: "Whether the mailbox can send and receive, which is as long as the agent is active." }),
  createdAt: z.iso.datetime(),
});

const EXAMPLE: z.output<typeof AliasShape> = {
  hasEmail: true,
  emailAddress: "agent-7@agents.example",
  displayName: "Ada's agent",
  walletAddress: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
  agentId: 7,
  isActive: true,
  createdAt: "2026-11-20T17:29:16.000Z",
};

function toAlias({ address, agentId, createdAt, ...alias }: AgentEmailAliasFragment): z.output<typeof AliasShape> {
  const { displayName, walletAddress, isActive } = alias;
  // A mailbox requires a registered agent; `agentId` is never null here.
  const registered = { agentId: agentId ?? 0, isActive, createdAt: String(createdAt) };
  return { hasEmail: true, emailAddress: address, displayName, walletAddress, ...registered };
}

export const agentEmail = defineRoute({
  method: "GET",
  path: "/api/agent/email",
  dialect: "native",
  summary: "Get the agent's mailbox",
  description: "Returns the mailbox. If the agent has none, the only field is `hasEmail`, which is false.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: AgentEmailDocument,
  variables: () => ({}),
  fieldNames: {},
  toResponse({ viewer }) {
    if (!viewer) return null;
    return viewer.mailbox ? toAlias(viewer.mailbox) : { hasEmail: false };
  },
  success: {
    description: "The mailbox.",
    schema: z.union([AliasShape, z.object({ hasEmail: z.literal(false) })]),
    example: EXAMPLE,
  },
  errors: ["forbidden"],
});

export const agentEmailCreate = defineRoute({
  method: "POST",
  path: "/api/agent/email",
  dialect: "native",
  summary: "Create the agent's mailbox",
  description:
    "Creates the mailbox; the agent must be active. Repeating the request changes nothing except the display name, if it differs.",
  movesMoney: false,
  query: z.object({}),
  body: z
    .object({
      displayName: z.string("must be a string").nullish().meta({
        description: "The display name of the sender in outgoing email: 1 to 100 characters, without `<`, `>` and `@`.",
      }),
    })
    .nullish(),
  bodyExample: '{"displayName": "Ada\'s agent"}',
  document: AgentEmailCreateDocument,
  variables: ({ body }) => ({ input: { displayName: body?.displayName ?? null } }),
  fieldNames: {},
  toResponse: ({ createMailbox: result }) =>
    result.__typename === "CreateMailboxSuccess" ? toAlias(result.mailbox) : result,
  success: { description: "The mailbox.", schema: AliasShape, example: EXAMPLE },
  errors: ["forbidden", "no_active_agent"],
});
