import { z } from "zod";
import { DeclinedPaymentsDocument } from "../generated/graphql.ts";
import { wholeNumber } from "../parameters.ts";
import { defineRoute } from "../route.ts";

const DEFAULT_LIMIT = 20;

const usdAmount = (description: string) => z.string().nullable().meta({ description });

const Declined = z.object({
  id: z.string().meta({ description: "ID of the declined payment." }),
  type: z.enum(["x402", "gateway", "transfer"]),
  declineReason: z.string().meta({ description: "The code of the error that the caller received." }),
  message: z.string().meta({ description: "The message of that error." }),
  resource: z.string().nullable().meta({ description: "The URL of the resource; null for a transfer." }),
  network: z.string().nullable(),
  amountUsd: usdAmount("The price in US dollars; null if the reason does not depend on it."),
  limitOwner: z
    .enum(["account", "token"])
    .nullable()
    .meta({ description: "The owner of the exceeded spending limit." }),
  limitPeriod: z.enum(["transaction", "day", "month"]).nullable(),
  limitUsd: usdAmount("The exceeded limit in US dollars."),
  remainingUsd: usdAmount("The amount that remained within that limit, in US dollars."),
  occurrences: z.int().meta({ description: "Number of refusals, if the account had many in an hour; otherwise 1." }),
  createdAt: z.iso.datetime(),
  lastDeclinedAt: z.iso.datetime(),
});

export const declinedPayments = defineRoute({
  method: "GET",
  path: "/api/declined-payments",
  dialect: "native",
  summary: "List declined payments",
  description:
    "Returns payments that were declined before anything was signed, newest first. They hold no money. Pass `nextCursor` as `cursor` for the next page.",
  movesMoney: false,
  query: z.object({
    limit: wholeNumber({ min: 1, max: 100, default: DEFAULT_LIMIT }, "Maximum number of entries.").optional(),
    cursor: z
      .string()
      .max(200, "is not a cursor of this list")
      .optional()
      .meta({ description: "The `nextCursor` of the previous page." }),
  }),
  body: null,
  document: DeclinedPaymentsDocument,
  variables: ({ query: { limit, cursor } }) => ({ first: limit ?? DEFAULT_LIMIT, after: cursor ?? null }),
  fieldNames: { first: "limit", after: "cursor" },
  toResponse({ viewer }) {
    if (!viewer?.declinedPayments) return null;
    const { edges, pageInfo } = viewer.declinedPayments;
    return {
      declinedPayments: edges.map(({ node: { declinedPaymentId: id, ...row } }) => ({ id, ...row })),
      nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    };
  },
  success: {
    description: "A page of declined payments.",
    schema: z.object({
      declinedPayments: z.array(Declined),
      nextCursor: z.string().nullable().meta({ description: "The cursor of the next page; null on the last page." }),
    }),
    example: {
      declinedPayments: [
        {
          id: "dp_1795195756000_k3v9Qm2LxT7a",
          type: "x402",
          declineReason: "spending_limit_exceeded",
          message:
            "The payment exceeds the token's limit per day: 0.25 USD requested, 0.10 of 5.00 USD remaining. No payment was made.",
          resource: "https://merchant.example/report",
          network: null,
          amountUsd: "0.25",
          limitOwner: "token",
          limitPeriod: "day",
          limitUsd: "5.00",
          remainingUsd: "0.10",
          occurrences: 1,
          createdAt: "2026-11-20T17:29:16.000Z",
          lastDeclinedAt: "2026-11-20T17:29:16.000Z",
        },
      ],
      nextCursor: null,
    },
  },
  errors: [],
});
