import { awaitOnboarding, MAX_ONBOARDING_WAIT_MS } from "../../src/agents/await-onboarding.ts";
import { registrationUrl } from "../../src/agents/registration-file.ts";
import { chainIdOf } from "../../src/agents/registry.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { wireEnum } from "../wire-enum.ts";

export const AgentStatusEnum = wireEnum("AgentStatus", "The status of an agent.", {
  pending: "The agent is being registered.",
  active: "The agent is registered on chain.",
  revoked: "The account owner revoked the agent. It remains registered on chain and has no valid credentials.",
});

/** The agent's registration transaction, loaded once for all fields of its row. */
const REGISTRATION = { transactions: { where: { purpose: "register", status: "mined" } } } as const;

export const AgentNode = builder.prismaNode("Agent", {
  id: { field: "id", description: "The agent's global id." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "agent:read") }),
  nullable: true,
  description: "The account's agent: its identity on chain (ERC-8004), trust score and credentials.",
  fields: (t) => ({
    agentRecordId: t.exposeID("id", { description: "The id of the agent's record: `agt_…`." }),
    agentId: t.int({
      nullable: true,
      description: "The agent's id in the registry, 0 or greater. Null until it is registered.",
      resolve: ({ agentId }) => (agentId === null ? null : Number(agentId)),
    }),
    status: t.field({
      type: AgentStatusEnum,
      description: "The status of the agent.",
      resolve: ({ status }) => status as "active",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the registry." }),
    chainId: t.int({
      description: "The chain id of the registry's network (EIP-155).",
      resolve: ({ network }) => chainIdOf(network),
    }),
    registry: t.exposeString("registryAddress", { description: "The registry's contract address." }),
    walletAddress: t.string({
      description: "The address of the account's wallet, from which the agent pays.",
      resolve: async ({ accountId }, _args, { deps }) => (await deps.wallets.ofAccount(accountId)).evmAddress,
    }),
    isWalletLinked: t.exposeBoolean("isWalletLinked", {
      description:
        "Whether `walletAddress` is set as the agent's wallet in the registry. Satchel sets it shortly after registration.",
    }),
    registrationUrl: t.field({
      type: "Url",
      description: "The public URL of the agent's registration file, to which the registry points.",
      resolve: ({ id }, _args, { deps }) => registrationUrl(deps.site, id),
    }),
    txHash: t.string({
      nullable: true,
      select: REGISTRATION,
      description: "The hash of the registration transaction. Null until the agent is registered.",
      resolve: ({ transactions: [registration] }) => registration?.txHash,
    }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      select: REGISTRATION,
      description: "The URL of the registration transaction in a block explorer. Null on networks without one.",
      resolve: ({ network, transactions: [registration] }, _args, { deps }) =>
        !registration || deps.settings.unexploredNetworks.includes(network)
          ? null
          : findNetwork(network)?.explorerTxUrl(registration.txHash),
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description:
        "The reason why the last registration attempt failed. Null if it did not fail. Satchel retries automatically.",
    }),
    email: t.string({
      nullable: true,
      select: { mailbox: { select: { address: true } } },
      description: "The address of the agent's mailbox. Null if the agent has no mailbox.",
      resolve: ({ mailbox }) => mailbox?.address,
    }),
    registeredAt: t.expose("registeredAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the agent was registered. Null until then.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the agent was revoked. Null unless it is revoked.",
    }),
    revokedReason: t.exposeString("revokedReason", {
      nullable: true,
      description: "The reason for the revocation. Null if the account owner gave none.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the agent was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Timestamp when the agent last changed." }),
  }),
});

lookUpById("agent", "Agent", AgentNode, "the agent");

builder.objectFields(ViewerType, (t) => ({
  agent: t.prismaField({
    type: AgentNode,
    nullable: true,
    description:
      "The account's agent. Null until the account creates its first API token or authorizes its first application, and if its registration is disabled. `agentRegistration` states the reason.",
    args: {
      waitMs: t.arg.int({
        description: `The maximum time in milliseconds to wait for the first credentials of an agent whose registration is in progress, from 0 to ${MAX_ONBOARDING_WAIT_MS}. A failed step ends the wait. Default: 0.`,
      }),
    },
    resolve: async (query, _viewer, { waitMs }, context) => {
      const accountId = requireScopedAccountId(context, "agent:read");
      const maxMs = waitMs ?? 0;
      if (maxMs < 0 || maxMs > MAX_ONBOARDING_WAIT_MS) {
        throw new InvalidRequestError(`waitMs must be from 0 to ${MAX_ONBOARDING_WAIT_MS}.`, "waitMs");
      }
      await awaitOnboarding(context.deps, accountId, maxMs);
      return await context.deps.db.prisma.agent.findUnique({ ...query, where: { accountId } });
    },
  }),
  agentId: t.int({
    nullable: true,
    description:
      "The registry id of the account's agent. Null until it is registered, and for a credential without the scope `agent:read`.",
    resolve: async ({ accountId, scopes }, _args, { deps }) => {
      if (!scopes.includes("agent:read")) return null;
      const agent = await deps.db.prisma.agent.findUnique({ where: { accountId }, select: { agentId: true } });
      return agent?.agentId === null || agent === null ? null : Number(agent.agentId);
    },
  }),
}));
