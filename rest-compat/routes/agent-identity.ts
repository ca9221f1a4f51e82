import { z } from "zod";
import { AgentIdentityDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";

const NONE = { hasAgent: false };

export const agentIdentity = defineRoute({
  method: "GET",
  path: "/api/agent/identity",
  dialect: "native",
  summary: "Who the agent is",
  description:
    "The account's agent as the registry on chain knows it (ERC-8004). An account gets one with its first API token or application, and it is registered shortly after; until then `hasAgent` is false and the only field.",
  scope: "agent:read",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: AgentIdentityDocument,
  variables: () => ({}),
  fieldNames: {},
  answer({ viewer }) {
    if (!viewer) return null;
    const { agent } = viewer;
    // The first agent's number is 0.
    if (!agent || agent.agentId === null || agent.agentId === undefined) return NONE;
    const {
      delegationCredential: delegation,
      email,
      trustScore,
      chainId,
      status,
      agentId,
      walletAddress,
      ...rest
    } = agent;
    return {
      hasAgent: true,
      agentId,
      chainId: String(chainId),
      walletAddress,
      trustScore: trustScore.score,
      status: status.toLowerCase(),
      email: email ?? null,
      ...(delegation ? { delegation: { id: delegation.credentialId, sdJwt: delegation.sdJwt } } : {}),
      ...rest,
    };
  },
  success: {
    description: "The agent.",
    schema: z.object({
      hasAgent: z.boolean().meta({ description: "Whether there is a registered agent; false is the only field." }),
      agentId: z.int().optional().meta({ description: "Its number in the registry, from 0 on." }),
      chainId: z.string().optional().meta({ description: "The number of the registry's chain (EIP-155)." }),
      walletAddress: z.string().optional().meta({ description: "The wallet it pays from." }),
      trustScore: z.number().optional().meta({ description: "0 to 100." }),
      status: z.enum(["active", "revoked"]).optional().meta({ description: "Whether its person stands by it." }),
      email: z.string().nullish().meta({ description: "Its mailbox; null while it has none." }),
      delegation: z
        .object({ id: z.string(), sdJwt: z.string().meta({ description: "An SD-JWT VC." }) })
        .optional()
        .meta({ description: "What its person lets it do; absent until issued, and while it is revoked." }),
      network: z.string().optional().meta({ description: "The registry's network." }),
      registry: z.string().optional().meta({ description: "The registry's contract." }),
      isWalletLinked: z.boolean().optional().meta({ description: "Whether the registry names the wallet already." }),
      registrationUrl: z.string().optional().meta({ description: "The file the registry points to." }),
      txHash: z.string().nullish().meta({ description: "The transaction that registered it." }),
      explorerUrl: z.string().nullish().meta({ description: "Where a person can look at that." }),
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
