import type { Transaction } from "../../generated/prisma/client.ts";
import { countLedger, type LedgerFilter, readLedgerPage } from "../../src/wallet/ledger-page.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { findPayers } from "../../src/wallet/payers.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import type { Context } from "../context.ts";
import { selectedOf } from "../filters.ts";
import { orderedBy, orderType, type PageOrder } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
import type { ConnectionList } from "../paging.ts";
import { SchemeEnum } from "../payments/requirements.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { wireEnum } from "../wire-enum.ts";
import { PayerType } from "./payer.ts";
import { toLedgerAmount } from "./token-amounts.ts";

export const TransactionType = wireEnum("TransactionType", "The type of a transaction.", {
  x402: "A payment for an X402 resource.",
  trade: "A swap of tokens.",
  transfer: "A transfer of tokens to an address.",
  credit: "Free credit granted to the account.",
  gateway: "A call of the AI gateway.",
  deposit: "An incoming transfer of tokens.",
});

export const TransactionStatus = wireEnum(
  "TransactionStatus",
  "The status of a transaction. The last three are final.",
  {
    reserved: "Counted against every limit and not yet signed.",
    signed: "Signed and not yet settled on the network.",
    settled: "Settled on the network.",
    released: "Not executed, and no longer executable. The amount is refunded to every limit.",
    failed: "Rejected by the network. The amount is refunded to every limit.",
  },
);

export const TransactionDirection = wireEnum("TransactionDirection", "The direction of a transaction.", {
  in: "Incoming: to the account.",
  out: "Outgoing: from the account.",
});

export const TransactionNode = builder.prismaNode("Transaction", {
  id: { field: "id", description: "The global id of the transaction." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "transactions:read") }),
  nullable: true,
  description: "A row of the ledger: one movement of money, recorded from its reservation.",
  fields: (t) => ({
    transactionId: t.exposeID("id", {
      description: "The ledger id, as used in REST and in the `X-Satchel-Payment-Id` header.",
    }),
    type: t.field({ type: TransactionType, description: "The type.", resolve: (row) => row.type as "x402" }),
    status: t.field({
      type: TransactionStatus,
      description: "The status.",
      resolve: (row) => row.status as "settled",
    }),
    direction: t.field({
      type: TransactionDirection,
      description: "The direction.",
      resolve: (row) => row.direction as "out",
    }),
    network: t.expose("network", { type: "NetworkName", nullable: true, description: "The network. Null for credit." }),
    amount: t.field({
      type: TokenAmountType,
      description: "The charged amount, or before settlement the authorized amount.",
      resolve: (row, _args, context) => toLedgerAmount(context, row, row.settledAtomic ?? row.amountAtomic),
    }),
    authorized: t.field({
      type: TokenAmountType,
      description: "The authorized amount, which is the maximum charge.",
      resolve: (row, _args, context) => toLedgerAmount(context, row, row.amountAtomic),
    }),
    amountUsd: t.field({
      type: "Usd",
      description: "The amount that counts against the limits.",
      resolve: (row) => row.settledMicroUsd ?? row.amountMicroUsd,
    }),
    feeUsd: t.expose("feeMicroUsd", { type: "Usd", description: "The fee, in addition to the amount." }),
    paidFromCredit: t.exposeBoolean("paidFromCredit", { description: "Whether free credit paid the transaction." }),
    paidBy: t.loadable({
      type: PayerType,
      nullable: true,
      description: "The credential that paid. Null for incoming transactions and for unknown credentials.",
      load: (rows: readonly Transaction[], { deps }: Context) => findPayers(deps, rows),
      loaderOptions: { cache: false },
      resolve: (row) => row,
    }),
    scheme: t.field({
      type: SchemeEnum,
      nullable: true,
      description: "The scheme of an X402 payment.",
      resolve: (row) => row.scheme as "exact" | null,
    }),
    resource: t.exposeString("resource", { nullable: true, description: "The URL of the paid resource." }),
    payTo: t.exposeString("payTo", { nullable: true, description: "The address of the recipient." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "The description from the payment request.",
    }),
    txHash: t.exposeString("txHash", { nullable: true, description: "The hash of the transaction on the network." }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      description:
        "The URL of the transaction in a block explorer. Null before it is on the network, and if there is no explorer.",
      resolve: ({ network, txHash }, _args, { deps }) =>
        network === null || txHash === null || deps.settings.unexploredNetworks.includes(network)
          ? null
          : findNetwork(network)?.explorerTxUrl(txHash),
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description:
        "The reason for the release or failure. For an outstanding transfer, the reason why it was not broadcast yet.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the transaction was reserved." }),
    signedAt: t.expose("signedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the transaction was signed.",
    }),
    settledAt: t.expose("settledAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the settlement was recorded.",
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Timestamp of the last change." }),
  }),
});

export const TransactionFilter = builder.inputType("TransactionFilter", {
  description: "A filter on transactions. All given conditions must match.",
  fields: (t) => ({
    types: t.field({ type: [TransactionType], description: "The types of the transactions. Default: all." }),
    statuses: t.field({ type: [TransactionStatus], description: "The statuses of the transactions. Default: all." }),
    networks: t.field({ type: ["NetworkName"], description: "The networks of the transactions. Default: all." }),
    createdAfter: t.field({ type: "DateTime", description: "Only transactions reserved at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Only transactions reserved before this time." }),
  }),
});

/** Converts the GraphQL filter to a ledger filter. */
export function toLedgerFilter(filter: typeof TransactionFilter.$inferInput | null | undefined): LedgerFilter {
  const { types, statuses, networks, createdAfter, createdBefore } = filter ?? {};
  return {
    types: selectedOf(types),
    statuses: selectedOf(statuses),
    networks: selectedOf(networks),
    from: createdAfter ?? null,
    to: createdBefore ?? null,
  };
}

export const TransactionEdge = builder.edgeObject({
  type: TransactionNode,
  name: "TransactionEdge",
  description: "A transaction in a list.",
});

export const TransactionConnection = builder.connectionObject(
  {
    type: TransactionNode,
    name: "TransactionConnection",
    description: "A page of transactions.",
    fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
  },
  TransactionEdge,
);

export const TRANSACTIONS_BY_TIME = orderedBy(
  orderType("TransactionOrder", "transactions", "CREATED_AT", "The time when the transaction was reserved."),
  "DESC",
);

/** Returns the account's ledger for a connection. Its rows omit columns that no field exposes. */
export function ledgerOf(
  { deps }: Context,
  accountId: string,
  filter: LedgerFilter,
  { order, orderMark }: PageOrder,
): ConnectionList<Transaction> {
  return {
    orderMark,
    async read({ cursor, take }) {
      const rows = await readLedgerPage(deps, accountId, filter, { cursorId: cursor?.id ?? null, take }, order);
      return rows as readonly unknown[] as Transaction[];
    },
    count: () => countLedger(deps, accountId, filter),
  };
}

lookUpById("transaction", "Transaction", TransactionNode, "the transaction");
