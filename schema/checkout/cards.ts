/** Payment cards of the account, without card numbers. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { asSession } from "../../src/accounts/viewer.ts";
import { readBillingAddress } from "../../src/checkout/cards/billing-address.ts";
import { CARD_ORDER, type CardStatus, cardStatus } from "../../src/checkout/cards/cards.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import { requireAccountId } from "../owner.ts";
import { PAGES, prismaList } from "../paging.ts";
import { wireEnum } from "../wire-enum.ts";
import { addressType } from "./address.ts";

const CardStatusEnum = wireEnum<CardStatus>("CardStatus", "The status of a payment card.", {
  active: "The card can be used for payments.",
  expired: "The card has expired.",
  disabled: "The account owner disabled or removed the card.",
});

const CardFundingEnum = wireEnum("CardFunding", "The funding type of a payment card.", {
  credit: "Credit card.",
  debit: "Debit card.",
  prepaid: "Prepaid card.",
  unknown: "Unknown funding type.",
});

const BillingAddressType = addressType(
  "BillingAddress",
  "The billing address of a card. It is also the default delivery address of purchases.",
);

export const PaymentCardNode = builder.prismaNode("PaymentCard", {
  id: { field: "id", description: "The global id of the card." },
  findUnique: (id, context) => ({ id, accountId: requireAccountId(context) }),
  nullable: true,
  // Selects only the displayed columns, so the sealed number is never read.
  select: {},
  description: "A payment card. Its number is encrypted and never returned.",
  fields: (t) => ({
    cardId: t.exposeID("id", {
      description: "The id of the card, as used by REST and as `card_alias_id` of a dispatch.",
    }),
    brand: t.exposeString("brand", { description: "The card brand, such as `visa` or `american-express`." }),
    last4: t.exposeString("last4", { description: "The last four digits of the card number." }),
    expMonth: t.exposeInt("expMonth", { description: "The expiry month, from 1 to 12." }),
    expYear: t.exposeInt("expYear", { description: "The expiry year, with four digits." }),
    funding: t.field({
      type: CardFundingEnum,
      description: "The funding type.",
      select: { funding: true },
      resolve: ({ funding }) => funding as "unknown",
    }),
    cardholderName: t.exposeString("cardholderName", {
      description: "The cardholder's name. Empty some time after the card is removed.",
    }),
    nickname: t.exposeString("nickname", { nullable: true, description: "Display name of the card." }),
    billingCountry: t.field({
      type: "CountryCode",
      description: "The country of the billing address.",
      select: { billingAddress: true },
      resolve: (card) => readBillingAddress(card).countryCode,
    }),
    billingAddress: t.field({
      type: BillingAddressType,
      nullable: true,
      description:
        "The billing address. Null without the account owner's browser session, and some time after the card is removed.",
      select: { billingAddress: true, cardholderName: true },
      // Retention removes both together.
      resolve: (card, _args, { viewer }) =>
        asSession(viewer) && card.cardholderName !== "" ? readBillingAddress(card) : null,
    }),
    isDefault: t.boolean({
      description: "Whether the card is the default for payments.",
      select: { defaultSlot: true },
      resolve: ({ defaultSlot }) => defaultSlot !== null,
    }),
    hasSecurityCode: t.exposeBoolean("hasSecurityCode", {
      description: "Whether the security code is stored. Otherwise the cardholder is prompted for it with each order.",
    }),
    status: t.field({
      type: CardStatusEnum,
      description: "The status of the card.",
      select: { status: true, expMonth: true, expYear: true },
      resolve: (card) => cardStatus(card),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the card was added." }),
  }),
});

lookUpById("paymentCard", "PaymentCard", PaymentCardNode, "the card");

builder.objectFields(ViewerType, (t) => ({
  cards: t.connection(
    {
      type: PaymentCardNode,
      ...PAGES,
      description: "Payment cards of the account: the default first, then newest first.",
      resolve: ({ accountId }, args, context, info) => {
        const { paymentCard } = context.deps.db.prisma;
        const cards = prismaList(
          { accountId },
          { accountId, removedAt: null },
          (query: Prisma.PaymentCardFindManyArgs) => paymentCard.findMany({ ...query, orderBy: [...CARD_ORDER] }),
          (query) => paymentCard.count(query),
        );
        return resolveConnection(args, context, info, cards);
      },
    },
    { name: "PaymentCardConnection", description: "A page of payment cards." },
    { name: "PaymentCardEdge", description: "An edge of a payment card connection." },
  ),
  keepsSecurityCodes: t.boolean({
    description: "Whether this service stores card security codes. Otherwise cards are added without one.",
    resolve: (_viewer, _args, { deps }) => deps.checkout.storesSecurityCodes,
  }),
}));
