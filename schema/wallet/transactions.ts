import type { Prisma, Transaction } from "../../generated/prisma/client.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { type LedgerFilter, readLedgerPage } from "../../src/wallet/ledger-page.ts";
import { findNetwork, USDC_DECIMALS } from "../../src/wallet/networks.ts";
import { payersOf } from "../../src/wallet/payers.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { ownAccountIdWithin } from "../owner.ts";
import type { PagePlace } from "../paging.ts";
import { SchemeEnum } from "../payments/requirements.ts";
import { PayerType } from "./payer.ts";
import { soldDecimals } from "./sold-decimals.ts";

const described = <Name extends string>(values: Readonly<Record<Name, string>>) =>
  Object.fromEntries(Object.entries<string>(values).map(([name, description]) => [name, { description }])) as Record<
    Name,
    { description: string }
  >;

const TransactionType = builder.enumType("TransactionType", {
  description: "What a transaction is.",
  values: described({
    x402: "A payment for an X402 resource.",
    trade: "A swap of tokens.",
    transfer: "Tokens sent to an address.",
    credit: "Free credit given.",
    gateway: "A call of the AI gateway.",
    deposit: "Tokens that came in.",
  }),
});

const TransactionStatus = builder.enumType("TransactionStatus", {
  description: "How far a transaction is. It moves forward only.",
  values: described({
    reserved: "Counted against every limit, not signed yet.",
    signed: "Authorized, and not yet taken by the network.",
    settled: "Taken by the network.",
    released: "Never taken, and it never can be any more: given back to every limit.",
    failed: "Tried and refused by the network: given back to every limit.",
  }),
});

const TransactionDirection = builder.enumType("TransactionDirection", {
  description: "Which way the money goes.",
  values: described({ in: "To the account.", out: "From the account." }),
});

/** Decimal places of a ledger row's asset: the network's own coin has others than USDC and credit. */
function decimalsOf({ asset, network }: { asset: string | null; network: string | null }): number {
  return (asset === "native" && network !== null && findNetwork(network)?.nativeDecimals) || USDC_DECIMALS;
}

/** A row of a page has its amounts as text. */
const atomic = (amount: Prisma.Decimal | string) => BigInt(typeof amount === "string" ? amount : amount.toFixed(0));

export const TransactionNode = builder.prismaNode("Transaction", {
  id: { field: "id", description: "The transaction's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "transactions:read") }),
  nullable: true,
  description: "A row of the ledger: one movement of money, from its reservation on.",
  fields: (t) => ({
    transactionId: t.exposeID("id", {
      description: "The ledger's own id, as REST and `X-Satchel-Payment-Id` show it.",
    }),
    type: t.field({ type: TransactionType, description: "What it is.", resolve: (row) => row.type as "x402" }),
    status: t.field({
      type: TransactionStatus,
      description: "How far it is.",
      resolve: (row) => row.status as "settled",
    }),
    direction: t.field({
      type: TransactionDirection,
      description: "Which way it goes.",
      resolve: (row) => row.direction as "out",
    }),
    network: t.expose("network", { type: "NetworkName", nullable: true, description: "Null for credit." }),
    asset: t.exposeString("asset", {
      nullable: true,
      description: "The token's contract or mint address, or `native`; null for credit, which is in US dollars.",
    }),
    amount: t.string({
      description: "What was charged, or while it is not settled the most that may be; a decimal of the asset.",
      resolve: (row, _args, context) => {
        const amountAtomic = atomic(row.settledAtomic ?? row.amountAtomic);
        if (row.type !== "trade" || row.asset === "native") return formatDecimal(amountAtomic, decimalsOf(row), 2);
        return soldDecimals(context, row.id).then((decimals) => formatDecimal(amountAtomic, decimals, 2));
      },
    }),
    amountAtomic: t.field({
      type: "AtomicAmount",
      description: "The same in the asset's smallest unit.",
      resolve: (row) => atomic(row.settledAtomic ?? row.amountAtomic),
    }),
    authorizedAtomic: t.field({
      type: "AtomicAmount",
      description: "The most that may be charged, in the asset's smallest unit.",
      resolve: (row) => atomic(row.amountAtomic),
    }),
    amountUsd: t.field({
      type: "Usd",
      description: "What counts against the limits.",
      resolve: (row) => row.settledMicroUsd ?? row.amountMicroUsd,
    }),
    feeUsd: t.expose("feeMicroUsd", { type: "Usd", description: "What it cost besides." }),
    paidFromCredit: t.exposeBoolean("paidFromCredit", { description: "Whether free credit paid." }),
    paidBy: t.loadable({
      type: PayerType,
      nullable: true,
      description: "Whose credential paid; null for what came in, and where it is not known any more.",
      load: (rows: readonly Transaction[], { deps }: Context) => payersOf(deps, rows),
      loaderOptions: { cache: false },
      resolve: (row) => row,
    }),
    scheme: t.field({
      type: SchemeEnum,
      nullable: true,
      description: "How an X402 payment was authorized.",
      resolve: (row) => row.scheme as "exact" | null,
    }),
    resource: t.exposeString("resource", { nullable: true, description: "What was paid for." }),
    payTo: t.exposeString("payTo", { nullable: true, description: "The recipient." }),
    description: t.exposeString("description", { nullable: true, description: "The recipient's own words." }),
    txHash: t.exposeString("txHash", { nullable: true, description: "The hash of the transaction on the network." }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      description:
        "Where a person can look at it. Null until it is on the network, and on networks without an explorer.",
      resolve: ({ network, txHash }, _args, { deps }) =>
        network === null || txHash === null || deps.settings.unexploredNetworks.includes(network)
          ? null
          : findNetwork(network)?.explorerTxUrl(txHash),
    }),
    failureReason: t.exposeString("failureReason", { nullable: true, description: "Why it was released or failed." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was reserved." }),
    signedAt: t.expose("signedAt", { type: "DateTime", nullable: true, description: "When it was signed." }),
    settledAt: t.expose("settledAt", {
      type: "DateTime",
      nullable: true,
      description: "When the network had taken it.",
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it last moved." }),
  }),
});

export const TransactionFilter = builder.inputType("TransactionFilter", {
  description: "Which transactions; all that is given must hold.",
  fields: (t) => ({
    type: t.field({ type: TransactionType, description: "What they are." }),
    status: t.field({ type: TransactionStatus, description: "How far they are." }),
    network: t.field({ type: "NetworkName", description: "On which network." }),
    from: t.field({ type: "DateTime", description: "Reserved at this time or later." }),
    to: t.field({ type: "DateTime", description: "Reserved before this time." }),
  }),
});

export const EVERYTHING = { type: null, status: null, network: null, from: null, to: null } as const;

/** The filter as the ledger takes it. */
export function transactionsWhere(
  filter: typeof TransactionFilter.$inferInput | null | undefined,
): Omit<LedgerFilter, "accountId"> {
  const { type, status, network, from, to } = filter ?? {};
  return { type: type ?? null, status: status ?? null, network: network ?? null, from: from ?? null, to: to ?? null };
}

export const TransactionEdge = builder.edgeObject({
  type: TransactionNode,
  name: "TransactionEdge",
  description: "A transaction in a list.",
});

export const TransactionConnection = builder.connectionObject(
  { type: TransactionNode, name: "TransactionConnection", description: "A page of transactions." },
  TransactionEdge,
);

/** A page of the ledger, newest first, as Pothos asks for it. What no field shows stays in the database. */
export async function findTransactions(
  { deps }: Context,
  { cursor, take }: PagePlace,
  where: LedgerFilter,
): Promise<Transaction[]> {
  const rows = await readLedgerPage(deps, where, { cursorId: cursor?.id ?? null, take });
  return rows as readonly unknown[] as Transaction[];
}
