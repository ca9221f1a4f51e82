/** Tools that read the wallet and the ledger. */
import { z } from "zod";
import {
  GetTransactionDocument,
  GetWalletDocument,
  ListTransactionsDocument,
  type TransactionFieldsFragment,
} from "../generated/graphql.ts";
import { pageOfConnection } from "../pages.ts";
import { NETWORK, PAGE, PAGE_OUTPUT, readPage } from "../parameters.ts";
import { defineTool } from "../tool.ts";
import { notFound } from "../tool-error.ts";
import { untrusted, untrustedSchema } from "../untrusted.ts";
import { formatSymbol } from "./token-symbol.ts";

const LIMITS = z
  .object({
    per_payment_usd: z.string().nullable(),
    day_limit_usd: z.string().nullable(),
    day_remaining_usd: z.string().nullable(),
    month_limit_usd: z.string().nullable(),
    month_remaining_usd: z.string().nullable(),
  })
  .meta({ description: "Those of the token and the account together. Null for no limit." });

const CARD_LIMITS = z
  .object({
    currency: z.string(),
    per_order: z.string().nullable(),
    day_limit: z.string().nullable(),
    day_used: z.string(),
    month_limit: z.string().nullable(),
    month_used: z.string(),
  })
  .nullable();

export const getWallet = defineTool({
  name: "get_wallet",
  title: "Get wallet",
  description: "Returns the balances on one network, the free credit, and what remains of the limits.",
  group: "wallet",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({ network: NETWORK.optional() }),
  output: z.object({
    network: z.string(),
    address: z.string(),
    balances: z.array(z.object({ amount: z.string(), currency: z.string() })),
    credit_usd: z.string(),
    limits: LIMITS,
    card_limits: CARD_LIMITS,
  }),
  document: GetWalletDocument,
  async call({ network }, { run }) {
    const { viewer } = await run({ network: network ?? null });
    const balance = viewer?.wallet.balance;
    if (!viewer || !balance?.usdc || !balance.native) return notFound("Wallet");
    const { cardBudget: card, effectiveLimits: limits } = viewer;
    return {
      network: balance.network,
      address: balance.address,
      balances: [
        { amount: balance.usdc.amount, currency: "USDC" },
        { amount: balance.native.amount, currency: balance.native.symbol },
      ],
      credit_usd: balance.creditUsd,
      limits: {
        per_payment_usd: limits.perTransactionLimitUsd ?? null,
        day_limit_usd: limits.dayLimitUsd ?? null,
        day_remaining_usd: limits.dayRemainingUsd ?? null,
        month_limit_usd: limits.monthLimitUsd ?? null,
        month_remaining_usd: limits.monthRemainingUsd ?? null,
      },
      card_limits: card && {
        currency: card.currency,
        per_order: card.perOrderLimit?.amount ?? null,
        day_limit: card.dailyLimit?.amount ?? null,
        day_used: card.dayUsed.amount,
        month_limit: card.monthlyLimit?.amount ?? null,
        month_used: card.monthUsed.amount,
      },
    };
  },
});

const TYPES = ["x402", "trade", "transfer", "credit", "gateway", "deposit"] as const;
const STATUSES = ["reserved", "signed", "settled", "released", "failed"] as const;

const TRANSACTION = z.object({
  id: z.string(),
  type: z.enum(TYPES),
  status: z.enum(STATUSES),
  direction: z.enum(["in", "out"]),
  amount: z.string(),
  currency: z.string(),
  amount_usd: z.string(),
  network: z.string().nullable(),
  host: z.string().nullable(),
  tx_hash: z.string().nullable(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
});

export const listTransactions = defineTool({
  name: "list_transactions",
  title: "List transactions",
  description:
    "Lists movements of money, newest first: payments, trades, transfers, deposits. `signed` is paid and not yet confirmed on the chain.",
  group: "wallet",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({
    type: z.enum(TYPES).optional(),
    status: z.enum(STATUSES).optional(),
    ...PAGE,
  }),
  output: z.object({ transactions: z.array(TRANSACTION), ...PAGE_OUTPUT }),
  document: ListTransactionsDocument,
  async call({ type, status, ...paging }, { run }) {
    const filter = { types: type ? [type] : null, statuses: status ? [status] : null };
    const { viewer } = await run({ ...readPage(paging), filter });
    const page = pageOfConnection(viewer?.transactions, formatTransaction);
    return { transactions: page.items, next_cursor: page.next_cursor };
  },
});

export const getTransaction = defineTool({
  name: "get_transaction",
  title: "Get transaction",
  description: "Returns one movement of money with its status, recipient, fee and the reason of a failure.",
  group: "wallet",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({ id: z.string().max(100).meta({ description: "Such as tx_…" }) }),
  output: TRANSACTION.extend({
    resource: untrustedSchema(z.string()).nullable(),
    pay_to: z.string().nullable(),
    scheme: z.string().nullable(),
    paid_from_credit: z.boolean(),
    fee_usd: z.string(),
    explorer_url: z.string().nullable(),
    signed_at: z.string().nullable(),
    failure_reason: untrustedSchema(z.string()).nullable(),
    description: untrustedSchema(z.string()).nullable(),
  }),
  document: GetTransactionDocument,
  async call({ id }, { run }) {
    const { transaction } = await run({ id });
    if (!transaction) return notFound("Transaction");
    const { failureReason, description, resource } = transaction;
    return {
      ...formatTransaction(transaction),
      // A seller may have redirected to it.
      resource: resource ? untrusted(resource) : null,
      pay_to: transaction.payTo ?? null,
      scheme: transaction.scheme ?? null,
      paid_from_credit: transaction.paidFromCredit,
      fee_usd: transaction.feeUsd,
      explorer_url: transaction.explorerUrl ?? null,
      signed_at: transaction.signedAt ?? null,
      failure_reason: failureReason ? untrusted(failureReason) : null,
      description: description ? untrusted(description) : null,
    };
  },
});

function hostOf(resource: string | null | undefined): string | null {
  return (resource && URL.parse(resource)?.host) || null;
}

function formatTransaction(transaction: TransactionFieldsFragment): z.output<typeof TRANSACTION> {
  return {
    id: transaction.transactionId,
    type: transaction.type,
    status: transaction.status,
    direction: transaction.direction,
    amount: transaction.amount.amount,
    currency: formatSymbol(transaction.amount.symbol),
    amount_usd: transaction.amountUsd,
    network: transaction.network ?? null,
    host: hostOf(transaction.resource),
    tx_hash: transaction.txHash ?? null,
    created_at: transaction.createdAt,
    settled_at: transaction.settledAt ?? null,
  };
}
