/** Orders at merchants: purchases and explorations. */
import { asSession } from "../../src/accounts/viewer.ts";
import { createLiveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { readExploration, readPurchase, readQuote } from "../../src/checkout/orders/request.ts";
import { type FailureCause, isTerminal, type OrderState, type RetryAction } from "../../src/checkout/orders/states.ts";
import type { ShipToEcho } from "../../src/checkout/quote/ship-to.ts";
import { requesterName } from "../../src/checkout/requester-name.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { PurchaseApprovalNode } from "./approvals.ts";
import { PaymentCardNode } from "./cards.ts";
import { MerchantNode } from "./merchants.ts";
import { findQuestion, OrderQuestionInterface } from "./order-question.ts";
import { OrderErrorCodeEnum, OrderKindEnum, OrderStatusEnum, RetryActionEnum } from "./order-states.ts";
import {
  CartConstraintsType,
  FulfillmentOptionType,
  QuoteLineType,
  ShipToEchoType,
  toCartConstraints,
  toQuoteLines,
} from "./quote.ts";

const SCOPE = "transactions:read";

export const CheckoutOrderNode = builder.prismaNode("CheckoutOrder", {
  id: { field: "id", description: "The global id of the order." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, SCOPE) }),
  nullable: true,
  description: "A purchase at a merchant, or the exploration of a merchant.",
  fields: (t) => ({
    orderId: t.exposeID("id", { description: "The id of the order, as used by REST." }),
    kind: t.field({
      type: OrderKindEnum,
      description: "The kind of the order.",
      resolve: ({ kind }) => kind as "purchase",
    }),
    status: t.field({
      type: OrderStatusEnum,
      description: "The status of the order.",
      resolve: ({ status }) => status as OrderState,
    }),
    isTerminal: t.boolean({ description: "Whether the order has ended.", resolve: ({ status }) => isTerminal(status) }),
    merchant: t.relation("merchant", {
      nullable: true,
      type: MerchantNode,
      description: "The merchant; null until it is known.",
    }),
    merchantUrl: t.field({
      type: "Url",
      nullable: true,
      description: "The URL at which an exploration started; null for a purchase.",
      resolve: (order) => readExploration(order)?.merchantUrl,
    }),
    lines: t.field({
      type: [QuoteLineType],
      description: "The items, as priced at dispatch; empty for an exploration.",
      resolve: (order) => {
        const quote = readQuote(order);
        return quote ? toQuoteLines(quote) : [];
      },
    }),
    fulfillment: t.field({
      type: FulfillmentOptionType,
      nullable: true,
      description: "The selected fulfilment option; null if the merchant offers options only at its checkout.",
      resolve: (order) => readQuote(order)?.options.find(({ id }) => id === readQuote(order)?.selectedOptionId),
    }),
    basketUrl: t.field({
      type: "Url",
      nullable: true,
      description:
        "The URL of the same cart on the merchant's site. Null unless the user must complete the purchase there.",
      resolve: (order) => (order.retryAction === "handoff" ? readQuote(order)?.basketUrl : null),
    }),
    card: t.relation("card", { nullable: true, type: PaymentCardNode, description: "The card that pays the order." }),
    approval: t.relation("approval", {
      nullable: true,
      type: PurchaseApprovalNode,
      description: "The approval of the order; null if the standing policy covered it.",
    }),
    amount: t.field({
      type: MoneyType,
      nullable: true,
      description: "The approved amount, which is the maximum charge. Null for an exploration.",
      resolve: ({ amountMinor, currency }) => toMoney(amountMinor, currency),
    }),
    amountIsFinal: t.exposeBoolean("amountIsFinal", {
      description: "Whether the approved amount is the exact charge rather than a ceiling.",
    }),
    amountCharged: t.field({
      type: MoneyType,
      nullable: true,
      description: "The charge as stated by the merchant's page; null until it states one.",
      resolve: ({ amountChargedMinor, currency }) => toMoney(amountChargedMinor, currency),
    }),
    currency: t.expose("currency", {
      type: "CurrencyCode",
      nullable: true,
      description: "The currency of both amounts; for an exploration, of the merchant. Null until it is known.",
    }),
    retryable: t.exposeBoolean("retryable", {
      nullable: true,
      description:
        "Set once the order has ended. True: placing it again is safe, because the card was never submitted. False: it would fail the same way, or has succeeded. Null: unknown; money may have moved.",
    }),
    retryAction: t.field({
      type: RetryActionEnum,
      description: "The only next call that the client should make; `POLL` until the order has ended.",
      resolve: ({ retryAction, status }) => (isTerminal(status) ? ((retryAction ?? "none") as RetryAction) : "poll"),
    }),
    errorCode: t.field({
      type: OrderErrorCodeEnum,
      nullable: true,
      description: "The cause of a failed order, or of an overcharge; null otherwise.",
      resolve: ({ errorCode }) => errorCode as FailureCause | null,
    }),
    errorMessage: t.exposeString("errorMessage", { nullable: true, description: "User-facing text of the error." }),
    shipTo: t.field({
      type: ShipToEchoType,
      nullable: true,
      description: "The redacted delivery address; null for the cardholder's.",
      resolve: ({ shipToEcho }) => shipToEcho as unknown as ShipToEcho | null,
    }),
    constraints: t.field({
      type: CartConstraintsType,
      nullable: true,
      description: "The spending caps of the order.",
      resolve: (order) => toCartConstraints(readPurchase(order)?.constraints, order.currency),
    }),
    askedBy: t.string({
      complexity: 5,
      description: "The name of the requesting API token or app, or a text for the account owner's browser.",
      resolve: ({ credentialId }, _args, { deps }) => requesterName(deps.db, credentialId),
    }),
    isTest: t.exposeBoolean("isTest", {
      description: "Whether the order was placed at a test merchant, where no real money moves.",
    }),
    userPrompt: t.exposeString("userPrompt", { nullable: true, description: "The user's original request." }),
    question: t.field({
      type: OrderQuestionInterface,
      nullable: true,
      description:
        "The question to which the cardholder must respond before the order continues; null if there is none.",
      resolve: (order, _args, context) => findQuestion(order, context),
    }),
    orderUrl: t.field({
      type: "Url",
      description: "The page of the order, with the live view and, afterwards, the receipt.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.browserUrl()}/orders/${id}`,
    }),
    liveViewUrl: t.field({
      type: "Url",
      nullable: true,
      complexity: 5,
      description:
        "Live view of the checkout, valid for 15 minutes; null once the order has ended. In the account owner's browser session it also permits actions; do not share it.",
      resolve: (order, _args, { deps, viewer }) =>
        isTerminal(order.status) ? null : createLiveViewUrl(deps, order, { mayAct: asSession(viewer) !== null }),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the order was created." }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when a worker leased the order.",
    }),
    completedAt: t.expose("completedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the order ended.",
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Timestamp of the last change." }),
  }),
});

lookUpById("checkoutOrder", "CheckoutOrder", CheckoutOrderNode, "the order");

builder.prismaObjectFields(PurchaseApprovalNode, (t) => ({
  order: t.field({
    type: CheckoutOrderNode,
    description: "The order that the approval is for.",
    select: (_args, _context, nestedSelection) => ({ order: nestedSelection(true) }),
    resolve: ({ order }, _args, context) => {
      requireScopedAccountId(context, SCOPE);
      return order;
    },
  }),
}));
