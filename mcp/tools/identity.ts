/** Tools of the agent's identity on the chain and its credentials. */
import { z } from "zod";
import {
  type CredentialSummaryFragment,
  GetIdentityDocument,
  PresentCredentialDocument,
} from "../generated/graphql.ts";
import { defineTool } from "../tool.ts";
import { notFound, requireSuccess } from "../tool-error.ts";

const KIND = z.enum(["trust", "delegation"]);

export const getIdentity = defineTool({
  name: "get_identity",
  title: "Get identity",
  description: "Returns the agent's registration on the chain, its email address, trust score and credentials.",
  group: "identity",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({}),
  output: z.object({
    registration: z.string(),
    notices: z.array(z.string()),
    agent: z
      .object({
        agent_id: z.int().nullable(),
        network: z.string(),
        registry: z.string(),
        status: z.string(),
        wallet_address: z.string().nullable(),
        email: z.string().nullable(),
        trust_score: z.int(),
        credentials: z.array(z.object({ kind: KIND, expires_at: z.string(), claims: z.array(z.string()) })),
        registration_url: z.string(),
        explorer_url: z.string().nullable(),
      })
      .nullable(),
  }),
  document: GetIdentityDocument,
  async call(_input, { run }) {
    const { viewer } = await run({});
    if (!viewer) return notFound("Agent");
    const { agent, agentRegistration } = viewer;
    return {
      registration: agentRegistration.state,
      notices: agentRegistration.notices,
      agent: agent && {
        agent_id: agent.agentId ?? null,
        network: agent.network,
        registry: agent.registry,
        status: agent.status,
        wallet_address: agent.walletAddress ?? null,
        email: agent.email ?? null,
        trust_score: agent.trustScore.score,
        credentials: [agent.trustCredential, agent.delegationCredential]
          .filter((credential): credential is CredentialSummaryFragment => Boolean(credential))
          .map(({ kind, expiresAt, disclosableClaims }) => ({
            kind,
            expires_at: expiresAt,
            claims: disclosableClaims,
          })),
        registration_url: agent.registrationUrl,
        explorer_url: agent.explorerUrl ?? null,
      },
    };
  },
});

export const presentCredential = defineTool({
  name: "present_credential",
  title: "Present credential",
  description:
    "Signs a presentation of a credential for one verifier. It discloses only the named claims. Send it to the verifier unchanged.",
  group: "identity",
  effect: "adds",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({
    kind: KIND,
    audience: z.string().min(1).max(2_000).meta({ description: "The verifier's identifier, usually its origin." }),
    nonce: z.string().min(1).max(2_000).meta({ description: "The nonce of the verifier." }),
    disclose: z
      .array(z.string().max(200))
      .max(100)
      .optional()
      .meta({ description: "Names in `claims` of get_identity. Default: none." }),
  }),
  output: z.object({ presentation: z.string(), disclosed: z.array(z.string()), expires_at: z.string() }),
  document: PresentCredentialDocument,
  async call(input, { run }) {
    const result = requireSuccess((await run({ input })).presentAgentCredential);
    const { presentation, disclosed, credential } = result;
    return { presentation, disclosed, expires_at: credential.expiresAt };
  },
});
