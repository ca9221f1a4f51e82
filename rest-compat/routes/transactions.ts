import { z } from "zod";
import { TransactionsDocument } from "../generated/graphql.ts";
import { isoTime, NETWORKS, oneOf, wholeNumber } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { formatTokenAmount } from "../token-amount.ts";

const DEFAULT_LIMIT = 20;

const Record = z.object({
  id: z.string().meta({ description: "ID of the ledger entry." }),
  type: z.enum(["x402", "trade", "transfer", "credit", "gateway", "deposit"]),
  status: z.enum(["reserved", "signed", "settled", "released", "failed"]),
  direction: z.enum(["in", "out"]),
  amount: z.string().meta({ description: "The charged amount, or the maximum charge, as a decimal of the asset." }),
  amountAtomic: z.string().meta({ description: "The same amount in the asset's smallest unit." }),
  asset: z
    .string()
    .nullable()
    .meta({ description: "The contract or mint address, or `native`; null for free credit." }),
  network: z.string().nullable(),
  scheme: z.string().nullable().meta({ description: "`exact` or `upto`." }),
  resource: z.string().nullable().meta({ description: "The URL of the paid resource." }),
  payTo: z.string().nullable().meta({ description: "The address of the recipient." }),
  txHash: z.string().nullable(),
  explorerUrl: z.string().nullable(),
  paidFromCredit: z.boolean(),
  fee: z.string().meta({ description: "The fee in US dollars." }),
  createdAt: z.iso.datetime(),
  settledAt: z.iso.datetime().nullable(),
});

export const transactions = defineRoute({
  method: "GET",
  path: "/api/transactions",
  dialect: "native",
  summary: "List ledger entries",
  description:
    "Returns all movements of money from their reservation on, newest first. Pass `nextCursor` as `cursor` for the next page.",
  movesMoney: false,
  query: z.object({
    limit: wholeNumber({ min: 1, max: 100, default: DEFAULT_LIMIT }, "Maximum number of entries.").optional(),
    cursor: z
      .string()
      .max(200, "is not a cursor of this list")
      .optional()
      .meta({ description: "The `nextCursor` of the previous page." }),
    type: oneOf(["x402", "trade", "transfer", "credit", "gateway", "deposit"], "Only entries of this type.").optional(),
    status: oneOf(["reserved", "signed", "settled", "released", "failed"], "Only entries with this status.").optional(),
    network: oneOf(NETWORKS, "Only entries on this network.").optional(),
    from: isoTime("Only entries reserved at or after this time.").optional(),
    to: isoTime("Only entries reserved before this time.").optional(),
  }),
  body: null,
  document: TransactionsDocument,
  variables: ({ query: { limit, cursor, type, status, network, from, to } }) => ({
    first: limit ?? DEFAULT_LIMIT,
    after: cursor ?? null,
    filter: {
      types: type && [type],
      statuses: status && [status],
      networks: network && [network],
      createdAfter: from,
      createdBefore: to,
    },
  }),
  fieldNames: { first: "limit", after: "cursor", createdAfter: "from", createdBefore: "to" },
  toResponse({ viewer }) {
    if (!viewer?.transactions) return null;
    const { edges, pageInfo } = viewer.transactions;
    return {
      transactions: edges.map(({ node: { transactionId, feeUsd, ...row } }) => ({
        id: transactionId,
        type: row.type,
        status: row.status,
        direction: row.direction,
        amount: formatTokenAmount(row.amount, 2),
        amountAtomic: row.amount.atomic,
        asset: row.amount.asset,
        network: row.network,
        scheme: row.scheme,
        resource: row.resource,
        payTo: row.payTo,
        txHash: row.txHash,
        explorerUrl: row.explorerUrl,
        paidFromCredit: row.paidFromCredit,
        fee: feeUsd,
        createdAt: row.createdAt,
        settledAt: row.settledAt,
      })),
      nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    };
  },
  success: {
    description: "A page of ledger entries.",
    schema: z.object({
      transactions: z.array(Record),
      nextCursor: z.string().nullable().meta({ description: "The cursor of the next page; null on the last page." }),
    }),
    example: {
      transactions: [
        {
          id: "tx_1795195756000_k3v9Qm2LxT7a",
          type: "x402",
          status: "settled",
          direction: "out",
          amount: "0.25",
          amountAtomic: "250000",
          asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
          network: "base",
          scheme: "exact",
          resource: "https://merchant.example/report",
          payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
          txHash: "0x2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
          explorerUrl: "https://basescan.org/tx/0x2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
          paidFromCredit: true,
          fee: "0.00",
          createdAt: "2026-11-20T17:29:16.000Z",
          settledAt: "2026-11-20T17:29:18.000Z",
        },
      ],
      nextCursor: null,
    },
  },
  errors: [],
});
