import { z } from "zod";
import { AgentIdentityDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const NONE = { hasAgent: false };

/** Time a request waits for an agent whose registration is in progress. HTTP clients commonly wait ten seconds for a response. */
export const ONBOARDING_WAIT_MS = 8_000;

export const agentIdentity = defineRoute({
  method: "GET",
  path: "/api/agent/identity",
  dialect: "native",
  summary: "Get the agent's identity",
  description:
    "Returns the account's agent as registered on chain (ERC-8004). Satchel creates the agent with the first API token or authorised application. It registers the agent, links its wallet if the account owner publishes it, and issues its credentials. A request meanwhile waits up to eight seconds. Until all is done the only field is `hasAgent`, which is false.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: AgentIdentityDocument,
  variables: () => ({ waitMs: ONBOARDING_WAIT_MS }),
  fieldNames: {},
  toResponse({ viewer }) {
    if (!viewer) return null;
    const { agent, agentCredentials } = viewer;
    const last = agentCredentials?.edges[0];
    // A revoked agent has its last delegation, which its status list states as revoked (spec section 2.7).
    const delegation = agent?.status === "revoked" ? last?.node : agent?.delegationCredential;
    // 0 is a valid agent ID.
    if (!agent || agent.agentId === null || agent.agentId === undefined || !delegation) return NONE;
    const { delegationCredential: _, email, trustScore, chainId, status, agentId, walletAddress, ...rest } = agent;
    return {
      hasAgent: true,
      agentId,
      chainId: String(chainId),
      walletAddress,
      trustScore: trustScore.score,
      status,
      email: email ?? null,
      delegation: { id: delegation.credentialId, sdJwt: delegation.sdJwt },
      ...rest,
    };
  },
  success: {
    description: "The agent.",
    schema: z.object({
      hasAgent: z
        .boolean()
        .meta({ description: "Whether the agent is registered and has its credentials. If false, the only field." }),
      agentId: z.int().optional().meta({ description: "The agent's ID in the registry, starting at 0." }),
      chainId: z.string().optional().meta({ description: "The chain ID of the registry (EIP-155)." }),
      walletAddress: z.string().optional().meta({ description: "The address of the wallet that the agent pays from." }),
      trustScore: z.number().optional().meta({ description: "0 to 100." }),
      status: z
        .enum(["active", "revoked"])
        .optional()
        .meta({ description: "`revoked` if the account owner has revoked the agent." }),
      email: z.string().nullish().meta({ description: "The email address of the agent; null without a mailbox." }),
      delegation: z
        .object({ id: z.string(), sdJwt: z.string().meta({ description: "An SD-JWT VC." }) })
        .optional()
        .meta({ description: "The delegation credential. That of a revoked agent is revoked in its status list." }),
      network: z.string().optional().meta({ description: "The network of the registry." }),
      registry: z.string().optional().meta({ description: "The contract address of the registry." }),
      isWalletLinked: z
        .boolean()
        .optional()
        .meta({ description: "Whether the registry entry contains the wallet address." }),
      registrationUrl: z.string().optional().meta({ description: "The URL of the agent's registration file." }),
      txHash: z.string().nullish().meta({ description: "The hash of the registration transaction." }),
      explorerUrl: z.string().nullish().meta({ description: "The transaction's URL on a block explorer." }),
    }),
    example: {
      hasAgent: true,
      agentId: 22,
      chainId: "8453",
      walletAddress: "0x1c0F2c5E1a2B3c4D5e6F708192a3b4C5D6e7F809",
      trustScore: 62,
      status: "active",
      email: "agent-22@agents.satchel.example",
      delegation: {
        id: "crd_1795195756000_k3v9Qm2LxT7a",
        sdJwt: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImRjK3NkLWp3dCJ9.eyJpc3MiOiJodHRwczovL3NhdGNoZWwuZXhhbXBsZSJ9.c2ln~",
      },
      network: "base",
      registry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
      isWalletLinked: true,
      registrationUrl: "https://satchel.example/agents/agt_1795195756000_k3v9Qm2LxT7a/registration.json",
      txHash: "0x2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
      explorerUrl: "https://basescan.org/tx/0x2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
    },
  },
  errors: ["forbidden"],
});
