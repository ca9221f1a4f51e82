/** The agent's mailbox, asked for and made (spec sections 2.5 and 3.3). */
import { z } from "zod";
import { type AgentEmailAliasFragment, AgentEmailCreateDocument, AgentEmailDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const AliasShape = z.object({
  hasEmail: z.literal(true),
  emailAddress: z.string().meta({ description: "`agent-<agent id>@<agent mail domain>`." }),
  displayName: z.string().meta({ description: "What stands before the address in mail it sends." }),
  walletAddress: z.string().meta({ description: "The agent's wallet." }),
  agentId: z.int().meta({ description: "The agent's number in the registry, from 0 on." }),
  isActive: z
    .boolean()
    .meta({ description: "Whether mail comes to it and leaves it: as long as its agent is active." }),
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

function aliasOf({ address, agentId, createdAt, ...alias }: AgentEmailAliasFragment): z.output<typeof AliasShape> {
  const { displayName, walletAddress, isActive } = alias;
  // Nobody has a mailbox whose agent was never registered.
  const registered = { agentId: agentId ?? 0, isActive, createdAt: String(createdAt) };
  return { hasEmail: true, emailAddress: address, displayName, walletAddress, ...registered };
}

export const agentEmail = defineRoute({
  method: "GET",
  path: "/api/agent/email",
  dialect: "native",
  summary: "The agent's mail address",
  description: "Without a mailbox, `hasEmail` is false and the only field.",
  scope: "email:read",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: AgentEmailDocument,
  variables: () => ({}),
  fieldNames: {},
  answer({ viewer }) {
    if (!viewer) return null;
    return viewer.mailbox ? aliasOf(viewer.mailbox) : { hasEmail: false };
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
  summary: "Open the agent's mailbox",
  description:
    "Opens it once the agent is active; asking again changes nothing, or the display name where another one is given.",
  scope: "email:read",
  movesMoney: false,
  query: z.object({}),
  body: z
    .object({
      displayName: z.string("must be a string").nullish().meta({
        description: "What stands before the address in mail it sends: 1 to 100 characters without <, > and @.",
      }),
    })
    .nullish(),
  bodyExample: '{"displayName": "Ada\'s agent"}',
  document: AgentEmailCreateDocument,
  variables: ({ body }) => ({ input: { displayName: body?.displayName ?? null } }),
  fieldNames: {},
  answer: ({ createMailbox: result }) =>
    result.__typename === "CreateMailboxSuccess" ? aliasOf(result.mailbox) : result,
  success: { description: "The mailbox.", schema: AliasShape, example: EXAMPLE },
  errors: ["forbidden", "no_active_agent"],
});
