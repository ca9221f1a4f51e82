/** The caller's payment cards: enough to choose between them, never a number. */
import { sessionOf } from "../../src/accounts/viewer.ts";
import { billingAddressOf } from "../../src/checkout/cards/billing-address.ts";
import { CARD_ORDER, type CardStatus, cardStatus } from "../../src/checkout/cards/cards.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountId } from "../owner.ts";
import { PAGES, readPage } from "../paging.ts";
import { addressType } from "./address.ts";

const CardStatusEnum = builder.enumType("CardStatus", {
  description: "Whether a card can be paid with.",
  values: {
    ACTIVE: { value: "active", description: "It can." },
    EXPIRED: { value: "expired", description: "Its last month is over." },
    DISABLED: { value: "disabled", description: "Its owner turned it off, or removed it." },
  } as const satisfies Record<string, { value: CardStatus; description: string }>,
});

const CardFundingEnum = builder.enumType("CardFunding", {
  description: "Where a card's money comes from.",
  values: {
    CREDIT: { value: "credit", description: "A line of credit." },
    DEBIT: { value: "debit", description: "A bank account." },
    PREPAID: { value: "prepaid", description: "What was loaded onto it." },
    UNKNOWN: { value: "unknown", description: "Not known here." },
  } as const,
});

const BillingAddressType = addressType(
  "BillingAddress",
  "Where a card's statements go, and its purchases unless told otherwise.",
);

export const PaymentCardNode = builder.prismaNode("PaymentCard", {
  id: { field: "id", description: "The card's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountId(context) }),
  nullable: true,
  // Of the row itself only what is shown is read: the sealed number stays where it is.
  select: {},
  description: "A payment card. Its number is sealed, and shown to nobody.",
  fields: (t) => ({
    cardId: t.exposeID("id", { description: "The card's own id, as REST shows it: `card_alias_id` of a dispatch." }),
    brand: t.exposeString("brand", { description: "Its brand, such as `visa` or `american-express`." }),
    last4: t.exposeString("last4", { description: "The last four digits of its number." }),
    expMonth: t.exposeInt("expMonth", { description: "Its last month, from 1 to 12." }),
    expYear: t.exposeInt("expYear", { description: "That month's year." }),
    funding: t.field({
      type: CardFundingEnum,
      description: "Where its money comes from.",
      select: { funding: true },
      resolve: ({ funding }) => funding as "unknown",
    }),
    cardholderName: t.exposeString("cardholderName", { description: "The name on it." }),
    nickname: t.exposeString("nickname", { nullable: true, description: "What its owner calls it." }),
    billingCountry: t.string({
      description: "The country of its billing address (ISO 3166).",
      select: { billingAddress: true },
      resolve: (card) => billingAddressOf(card).countryCode,
    }),
    billingAddress: t.field({
      type: BillingAddressType,
      nullable: true,
      description: "Its billing address; null for anybody but its owner in their own browser.",
      select: { billingAddress: true },
      resolve: (card, _args, { viewer }) => (sessionOf(viewer) ? billingAddressOf(card) : null),
    }),
    isDefault: t.boolean({
      description: "Whether it is paid with unless another is named.",
      select: { defaultSlot: true },
      resolve: ({ defaultSlot }) => defaultSlot !== null,
    }),
    hasSecurityCode: t.exposeBoolean("hasSecurityCode", {
      description: "Whether its security code is kept; otherwise its owner is asked for it with each order.",
    }),
    status: t.field({
      type: CardStatusEnum,
      description: "Whether it can be paid with.",
      select: { status: true, expMonth: true, expYear: true },
      resolve: (card) => cardStatus(card),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  cards: t.prismaConnection(
    {
      type: PaymentCardNode,
      ...PAGES,
      description: "The account's payment cards: the default first, then the newest.",
      resolve: (query, { accountId }, _args, { deps }) =>
        readPage(
          query,
          { accountId },
          (page) =>
            deps.db.prisma.paymentCard.findMany({
              ...page,
              where: { accountId, removedAt: null },
              orderBy: [...CARD_ORDER],
            }),
          (where) => deps.db.prisma.paymentCard.count({ where }),
        ),
    },
    { name: "PaymentCardConnection", description: "A page of payment cards." },
    { name: "PaymentCardEdge", description: "A payment card in a list." },
  ),
  keepsSecurityCodes: t.boolean({
    description: "Whether this service keeps cards' security codes; otherwise a new card is added without.",
    resolve: (_viewer, _args, { deps }) => deps.checkout.keepsSecurityCodes,
  }),
}));
