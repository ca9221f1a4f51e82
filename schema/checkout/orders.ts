/** Orders at shops: what was bought, how far they are and how they ended. */
import { sessionOf } from "../../src/accounts/viewer.ts";
import { liveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { cartOf, explorationOf, purchaseOf } from "../../src/checkout/orders/request.ts";
import { isTerminal, type OrderState, type RetryAction } from "../../src/checkout/orders/states.ts";
import type { ShipToEcho } from "../../src/checkout/quote/ship-to.ts";
import { requesterName } from "../../src/checkout/requester-name.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { PurchaseApprovalNode } from "./approvals.ts";
import { PaymentCardNode } from "./cards.ts";
import { MerchantNode } from "./merchants.ts";
import { OrderKindEnum, OrderStatusEnum, RetryActionEnum } from "./order-states.ts";
import { CartConstraintsType, FulfillmentOptionType, QuoteLineType, ShipToEchoType } from "./quote.ts";

const minor = (amount: bigint | null) => (amount === null ? null : Number(amount));

export const CheckoutOrderNode = builder.prismaNode("CheckoutOrder", {
  id: { field: "id", description: "The order's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "transactions:read") }),
  nullable: true,
  description: "An order placed at a shop, or the exploration of one.",
  fields: (t) => ({
    orderId: t.exposeID("id", { description: "The order's own id, as REST shows it." }),
    kind: t.field({ type: OrderKindEnum, description: "What it is.", resolve: ({ kind }) => kind as "purchase" }),
    status: t.field({
      type: OrderStatusEnum,
      description: "How far it is.",
      resolve: ({ status }) => status as OrderState,
    }),
    isTerminal: t.boolean({ description: "Whether it has ended.", resolve: ({ status }) => isTerminal(status) }),
    merchant: t.relation("merchant", {
      nullable: true,
      type: MerchantNode,
      description: "The shop; null until found out.",
    }),
    merchantUrl: t.field({
      type: "Url",
      nullable: true,
      description: "The address an exploration began at; null for a purchase.",
      resolve: (order) => explorationOf(order)?.merchantUrl,
    }),
    lines: t.field({
      type: [QuoteLineType],
      description: "What is bought, as it was priced at dispatch; empty for an exploration.",
      resolve: (order) => [...(cartOf(order)?.lines ?? [])],
    }),
    fulfillment: t.field({
      type: FulfillmentOptionType,
      nullable: true,
      description: "How it gets to the buyer; null where the shop offers that at its checkout only.",
      resolve: (order) => cartOf(order)?.options.find(({ id }) => id === cartOf(order)?.selectedOptionId),
    }),
    basketUrl: t.field({
      type: "Url",
      nullable: true,
      description: "The same cart on the shop's site; null unless the person is to finish it there by hand.",
      resolve: (order) => (order.retryAction === "handoff" ? cartOf(order)?.basketUrl : null),
    }),
    card: t.relation("card", { nullable: true, type: PaymentCardNode, description: "The card it is paid with." }),
    approval: t.relation("approval", {
      nullable: true,
      type: PurchaseApprovalNode,
      description: "What its person was asked; null where the standing policy covered it.",
    }),
    amountMinor: t.field({
      type: "MinorAmount",
      nullable: true,
      description: "The approved figure: the most that may be charged.",
      resolve: ({ amountMinor }) => minor(amountMinor),
    }),
    amountIsFinal: t.exposeBoolean("amountIsFinal", { description: "Whether that is the charge, not a ceiling." }),
    amountChargedMinor: t.field({
      type: "MinorAmount",
      nullable: true,
      description: "What the shop's own page said was charged; null while it said nothing.",
      resolve: ({ amountChargedMinor }) => minor(amountChargedMinor),
    }),
    currency: t.exposeString("currency", { nullable: true, description: "The currency of both (ISO 4217)." }),
    retryable: t.exposeBoolean("retryable", {
      nullable: true,
      description:
        "Once it has ended: true, placing it again is safe, for the card was never submitted; false, it fails the same way or has succeeded; null, unknown, money may have moved.",
    }),
    retryAction: t.field({
      type: RetryActionEnum,
      description: "The single next call; `poll` until it has ended.",
      resolve: ({ retryAction, status }) => (isTerminal(status) ? ((retryAction ?? "none") as RetryAction) : "poll"),
    }),
    errorCode: t.exposeString("errorCode", { nullable: true, description: "What went wrong." }),
    errorMessage: t.exposeString("errorMessage", { nullable: true, description: "The same in words for a person." }),
    shipTo: t.field({
      type: ShipToEchoType,
      nullable: true,
      description: "Where it goes, in short; null: to the cardholder.",
      resolve: ({ shipToEcho }) => shipToEcho as unknown as ShipToEcho | null,
    }),
    constraints: t.field({
      type: CartConstraintsType,
      nullable: true,
      description: "The caps it was placed with.",
      resolve: (order) => purchaseOf(order)?.constraints ?? null,
    }),
    askedBy: t.string({
      complexity: 5,
      description: "Who asked for it: the API token or the app by its name, or the person in their browser.",
      resolve: ({ credentialId }, _args, { deps }) => requesterName(deps.db, credentialId),
    }),
    isTest: t.exposeBoolean("isTest", { description: "Whether it was placed at a test shop: no real money moved." }),
    userPrompt: t.exposeString("userPrompt", { nullable: true, description: "What the person asked for." }),
    personNeededFor: t.exposeString("personNeededFor", {
      nullable: true,
      description: "What it waits for a person to do: `three_d_secure`, `security_code`; null: nothing.",
    }),
    personNeededUntil: t.expose("personNeededUntil", {
      type: "DateTime",
      nullable: true,
      description: "Until when it waits for that; null where it waits for nothing, or that is not known.",
    }),
    orderUrl: t.field({
      type: "Url",
      description: "The page that shows it to the person, live and afterwards.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.browserUrl()}/orders/${id}`,
    }),
    liveViewUrl: t.field({
      type: "Url",
      nullable: true,
      complexity: 5,
      description:
        "Where it is watched as it is driven, for 15 minutes; null once it has ended. For its owner's own browser it also lets act while a person is needed: it is not to be handed on.",
      resolve: (order, _args, { deps, viewer }) =>
        isTerminal(order.status) ? null : liveViewUrl(deps, order, { mayAct: sessionOf(viewer) !== null }),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was asked for." }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true, description: "When a worker took it." }),
    completedAt: t.expose("completedAt", { type: "DateTime", nullable: true, description: "When it ended." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it last moved." }),
  }),
});
