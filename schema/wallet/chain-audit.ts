/** The chain audit, for administrators: its progress on each network, and the differences that it found. */
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import type { DifferenceKind } from "../../src/wallet/chain-audit/differences.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import { PAGES, prismaList } from "../paging.ts";
import { wireEnum } from "../wire-enum.ts";

const RESTRICTION =
  "Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.";

const ChainAuditNetwork = builder.prismaObject("ChainAuditNetwork", {
  description: "The progress of the chain audit on a network.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    auditedBlock: t.int({
      description: "The number of the last block, or slot, whose transfers were compared with the ledger.",
      resolve: ({ blockNumber }) => Number(blockNumber),
    }),
    latestBlock: t.int({
      description: "The number of the latest block, or slot, at the last run.",
      resolve: ({ headNumber }) => Number(headNumber),
    }),
    startedAt: t.expose("startAt", {
      type: "DateTime",
      description: "Timestamp of the first block that is audited.",
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Timestamp of the last run." }),
    openDifferenceCount: t.int({
      complexity: 5,
      description: "The number of open differences.",
      resolve: ({ network }, _args, { deps }) =>
        deps.db.prisma.chainDifference.count({ where: { network, resolvedAt: null } }),
    }),
  }),
});

builder.queryField("chainAudit", (t) =>
  t.prismaField({
    type: [ChainAuditNetwork],
    nullable: true,
    complexity: { field: 5, multiplier: 5 },
    description: `The progress of the chain audit on each network, by name. Empty before its first run. ${RESTRICTION}`,
    resolve: (query, _root, _args, { deps, viewer }) => {
      requireReviewer(viewer);
      return deps.db.prisma.chainAuditNetwork.findMany({ ...query, orderBy: { network: "asc" } });
    },
  }),
);

const ChainDifferenceKind = wireEnum<DifferenceKind>("ChainDifferenceKind", "What differs between chain and ledger.", {
  unrecorded_transfer: "A transfer out of a wallet that no transaction in the ledger explains.",
  amount: "The settled amount of a transaction and the transfers on chain.",
  bought: "The bought amount of a trade and the transfers on chain.",
  balance: "The balance of a wallet and the sum of all its transfers.",
});

const ChainDifferenceNode = builder.prismaNode("ChainDifference", {
  id: { field: "id", description: "The global id of the difference." },
  findUnique: (id, { viewer }) => {
    requireReviewer(viewer);
    return { id };
  },
  nullable: true,
  description: "A difference between a chain and the ledger. It remains on record after it is resolved.",
  fields: (t) => ({
    differenceId: t.exposeID("id", { description: "The id of the difference, such as in logs." }),
    kind: t.field({
      type: ChainDifferenceKind,
      description: "What differs.",
      resolve: ({ kind }) => kind as DifferenceKind,
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    walletId: t.exposeID("walletId", { description: "The id of the wallet." }),
    asset: t.exposeString("asset", { description: "The contract or mint address of the token." }),
    chainAtomic: t.field({
      type: "Decimal",
      description:
        "The amount on chain in the asset's smallest unit. Negative if a trade received what it should have sold.",
      resolve: ({ chainAtomic }) => chainAtomic.toFixed(0),
    }),
    ledgerAtomic: t.field({
      type: "Decimal",
      description: "The amount in the ledger in the asset's smallest unit; for a balance, the sum of its transfers.",
      resolve: ({ ledgerAtomic }) => ledgerAtomic.toFixed(0),
    }),
    txHash: t.exposeString("txHash", { nullable: true, description: "The transaction's hash. Null for a balance." }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      description: "The URL of the transaction in a block explorer. Null without a transaction.",
      resolve: ({ network, txHash }) => (txHash === null ? null : findNetwork(network)?.explorerTxUrl(txHash)),
    }),
    transactionId: t.exposeID("transactionId", {
      nullable: true,
      description: "The id of the transaction in the ledger. Null for an unrecorded transfer and a balance.",
    }),
    foundAt: t.expose("foundAt", { type: "DateTime", description: "Timestamp when the audit found it." }),
    resolvedAt: t.expose("resolvedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the audit no longer found it. Null while it is open.",
    }),
  }),
});

lookUpById("chainDifference", "ChainDifference", ChainDifferenceNode, "the difference");

builder.queryField("chainDifferences", (t) =>
  t.connection(
    {
      type: ChainDifferenceNode,
      ...PAGES,
      description: `The differences between the chains and the ledger, newest first. ${RESTRICTION}`,
      args: {
        isOpen: t.arg.boolean({ description: "Only open or only resolved differences. Default: both." }),
      },
      resolve: (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { chainDifference } = context.deps.db.prisma;
        const { isOpen } = args;
        const differences = prismaList(
          {},
          typeof isOpen === "boolean" ? { resolvedAt: isOpen ? null : { not: null } } : {},
          (query: object) => chainDifference.findMany({ ...query, orderBy: [{ foundAt: "desc" }, { id: "desc" }] }),
          (query) => chainDifference.count(query),
        );
        return resolveConnection(args, context, info, differences);
      },
    },
    { name: "ChainDifferenceConnection", description: "A page of differences between the chains and the ledger." },
    { name: "ChainDifferenceEdge", description: "An edge of a difference connection." },
  ),
);
