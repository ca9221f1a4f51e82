import { AGENT_STATUSES } from "../../src/agents/ensure-agent.ts";
import { registrationUrl } from "../../src/agents/registration-file.ts";
import { chainIdOf } from "../../src/agents/registry.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";

const STATUS_MEANINGS = {
  pending: "It is being registered.",
  active: "It is registered on chain.",
  revoked: "Its person has it revoked: it is registered for ever, and vouched for no more.",
} as const;

export const AgentStatusEnum = builder.enumType("AgentStatus", {
  description: "How an agent stands.",
  values: Object.fromEntries(
    AGENT_STATUSES.map((value) => [value.toUpperCase(), { value, description: STATUS_MEANINGS[value] }]),
  ) as Record<"PENDING" | "ACTIVE" | "REVOKED", { value: "pending" | "active" | "revoked"; description: string }>,
});

/** The transaction that registered it, loaded once for all fields of its row. */
const REGISTRATION = { transactions: { where: { purpose: "register", status: "mined" } } } as const;

export const AgentNode = builder.prismaNode("Agent", {
  id: { field: "id", description: "The agent's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "agent:read") }),
  nullable: true,
  description: "The account's agent: its identity on chain (ERC-8004), and what is vouched for about it.",
  fields: (t) => ({
    agentRecordId: t.exposeID("id", { description: "The agent's own id here: `agt_…`." }),
    agentId: t.int({
      nullable: true,
      description: "Its number in the registry, from 0 on; null until it is registered.",
      resolve: ({ agentId }) => (agentId === null ? null : Number(agentId)),
    }),
    status: t.field({
      type: AgentStatusEnum,
      description: "How it stands.",
      resolve: ({ status }) => status as "active",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the registry." }),
    chainId: t.int({
      description: "The same by its number (EIP-155).",
      resolve: ({ network }) => chainIdOf(network),
    }),
    registry: t.exposeString("registryAddress", { description: "The registry's contract address." }),
    walletAddress: t.string({
      description: "The address of the account's wallet, which the agent pays from.",
      resolve: async ({ accountId }, _args, { deps }) => (await deps.wallets.ofAccount(accountId)).evmAddress,
    }),
    isWalletLinked: t.exposeBoolean("isWalletLinked", {
      description: "Whether the registry names that wallet as the agent's; shortly after it is registered it does.",
    }),
    registrationUrl: t.field({
      type: "Url",
      description: "Where anybody may read what the agent is: the file that the registry points to.",
      resolve: ({ id }, _args, { deps }) => registrationUrl(deps.site, id),
    }),
    txHash: t.string({
      nullable: true,
      select: REGISTRATION,
      description: "The hash of the transaction that registered it; null until it is.",
      resolve: ({ transactions: [registration] }) => registration?.txHash,
    }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      select: REGISTRATION,
      description: "Where a person can look at that transaction; null on networks without an explorer.",
      resolve: ({ network, transactions: [registration] }, _args, { deps }) =>
        !registration || deps.settings.unexploredNetworks.includes(network)
          ? null
          : findNetwork(network)?.explorerTxUrl(registration.txHash),
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description:
        "What stands in the way of its registration; it is tried again all the same. Null when nothing does.",
    }),
    email: t.string({
      nullable: true,
      select: { mailbox: { select: { address: true } } },
      description: "The address of its mailbox; null while it has none.",
      resolve: ({ mailbox }) => mailbox?.address,
    }),
    registeredAt: t.expose("registeredAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was registered; null until it is.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "Since when it is revoked." }),
    revokedReason: t.exposeString("revokedReason", { nullable: true, description: "Why it is." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the account got it." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it last moved." }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  agent: t.prismaField({
    type: AgentNode,
    nullable: true,
    description: "The account's agent; null until the account has its first API token or allows its first application.",
    resolve: (query, _viewer, _args, context) =>
      context.deps.db.prisma.agent.findUnique({
        ...query,
        where: { accountId: ownAccountIdWithin(context, "agent:read") },
      }),
  }),
  agentId: t.int({
    nullable: true,
    description:
      "The number of the account's agent in the registry; null until it is registered, and for a credential that was not granted `agent:read`.",
    resolve: async ({ accountId, scopes }, _args, { deps }) => {
      if (!scopes.includes("agent:read")) return null;
      const agent = await deps.db.prisma.agent.findUnique({ where: { accountId }, select: { agentId: true } });
      return agent?.agentId === null || agent === null ? null : Number(agent.agentId);
    },
  }),
}));
