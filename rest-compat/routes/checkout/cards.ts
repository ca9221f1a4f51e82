import { z } from "zod";
import { CheckoutCardsDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";

const CardShape = z.object({
  id: z.string().meta({ description: "ID of the card; pass it to dispatch as `card_alias_id`." }),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  funding: z.enum(["credit", "debit", "prepaid", "unknown"]),
  cardholder_name: z.string(),
  nickname: z.string().nullable(),
  billing_country: z.string(),
  is_default: z.boolean(),
  status: z.enum(["active", "expired", "disabled"]),
});

export const checkoutCards = defineRoute({
  method: "GET",
  path: "/api/autofill/cards",
  dialect: "native",
  summary: "List cards",
  description:
    "Returns the account's cards, the default card first. Card numbers are never returned. Cards are added on the dashboard.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: CheckoutCardsDocument,
  variables: () => ({}),
  fieldNames: {},
  toResponse: ({ viewer }) =>
    viewer?.cards
      ? {
          cards: viewer.cards.edges.map(({ node }) => ({
            id: node.cardId,
            brand: node.brand,
            last4: node.last4,
            exp_month: node.expMonth,
            exp_year: node.expYear,
            funding: node.funding,
            cardholder_name: node.cardholderName,
            nickname: node.nickname,
            billing_country: node.billingCountry,
            is_default: node.isDefault,
            status: node.status,
          })),
        }
      : null,
  success: {
    description: "The cards.",
    schema: z.object({ cards: z.array(CardShape) }),
    example: {
      cards: [
        {
          id: "card_1795195756000_k3v9Qm2LxT7a",
          brand: "visa",
          last4: "4242",
          exp_month: 4,
          exp_year: 2029,
          funding: "unknown",
          cardholder_name: "Ada Lovelace",
          nickname: null,
          billing_country: "GB",
          is_default: true,
          status: "active",
        },
      ],
    },
  },
  errors: [],
});
