import { z } from "zod";
import { AgentCredentialDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { ONBOARDING_WAIT_MS } from "./agent-identity.ts";

const NONE = { hasCredential: false };

export const agentCredential = defineRoute({
  method: "GET",
  path: "/api/agent/credential",
  dialect: "native",
  summary: "Get the agent's credentials",
  description:
    "Returns the agent's trust and delegation credentials: SD-JWT VCs signed by Satchel, verifiable with its published keys. A request while the agent is being registered waits up to eight seconds. If the agent is not registered yet or is revoked, or the credentials cannot be retrieved, the only field is `hasCredential`, which is false.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: AgentCredentialDocument,
  variables: () => ({ waitMs: ONBOARDING_WAIT_MS }),
  fieldNames: {},
  toResponse({ viewer }) {
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
  // Spec section 2.8.
  responseToFailure: NONE,
  success: {
    description: "The credentials.",
    schema: z.object({
      hasCredential: z.boolean().meta({ description: "Whether the agent has credentials. If false, the only field." }),
      trustCredential: z
        .string()
        .optional()
        .meta({ description: "Identity and track record of the agent, as an SD-JWT VC." }),
      delegationCredential: z.string().optional().meta({
        description: "Permissions that the account owner has delegated to the agent, as an SD-JWT VC.",
      }),
      expiresAt: z.iso.datetime().optional().meta({ description: "Timestamp when the first credential expires." }),
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
