import { z } from "zod";
import { AgentCredentialDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const NONE = { hasCredential: false };

export const agentCredential = defineRoute({
  method: "GET",
  path: "/api/agent/credential",
  dialect: "native",
  summary: "What is vouched for about the agent",
  description:
    "The agent's trust and delegation credentials: SD-JWT VCs signed by this service, which anybody can check with what it publishes. Without them `hasCredential` is false and the only field: the agent is not registered yet, or is revoked.",
  scope: "agent:read",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: AgentCredentialDocument,
  variables: () => ({}),
  fieldNames: {},
  answer({ viewer }) {
    if (!viewer) return null;
    const { trustCredential: trust, delegationCredential: delegation } = viewer.agent ?? {};
    if (!trust || !delegation) return NONE;
    return {
      hasCredential: true,
      trustCredential: trust.sdJwt,
      delegationCredential: delegation.sdJwt,
      expiresAt: [trust.expiresAt, delegation.expiresAt].toSorted()[0],
    };
  },
  success: {
    description: "The credentials.",
    schema: z.object({
      hasCredential: z.boolean().meta({ description: "Whether there are any; false is the only field." }),
      trustCredential: z
        .string()
        .optional()
        .meta({ description: "Who the agent is, and how it has behaved: an SD-JWT VC." }),
      delegationCredential: z.string().optional().meta({ description: "What its person lets it do: an SD-JWT VC." }),
      expiresAt: z.iso.datetime().optional().meta({ description: "When the first of them ends." }),
    }),
    example: {
      hasCredential: true,
      trustCredential:
        "eyJhbGciOiJFUzI1NiIsInR5cCI6ImRjK3NkLWp3dCJ9.eyJpc3MiOiJodHRwczovL3NhdGNoZWwuZXhhbXBsZSJ9.c2ln~WyJzYWx0IiwidHJ1c3Rfc2NvcmUiLDg3XQ~",
      delegationCredential:
        "eyJhbGciOiJFUzI1NiIsInR5cCI6ImRjK3NkLWp3dCJ9.eyJpc3MiOiJodHRwczovL3NhdGNoZWwuZXhhbXBsZSJ9.c2ln~WyJzYWx0IiwiYWdlbnRfaWQiLDBd~",
      expiresAt: "2026-12-20T17:29:16.000Z",
    },
  },
  errors: ["forbidden"],
});
