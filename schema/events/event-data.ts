/** The data of events: one type for each family of event types. Links are null for deleted objects. */
import { brandWithType } from "@pothos/core";
import type { FailureCause } from "../../src/checkout/orders/states.ts";
import {
  type AgentEventData,
  type EventData,
  type EventFamily,
  type EventToken,
  type FreezeEventData,
  familyOf,
  type MailEventData,
  type OrderEventData,
  type PaymentEventData,
  type TradeEventData,
  type WebhookTestEventData,
} from "../../src/events/event-data.ts";
import type { EventType } from "../../src/events/event-types.ts";
import type { CheckResult } from "../../src/mail/incoming/incoming-message.ts";
import { parseDecimal, parseUsd } from "../../src/platform/money.ts";
import { AgentNode, AgentStatusEnum } from "../agents/agents.ts";
import { MoneyType, type TokenAmount, TokenAmountType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { OrderErrorCodeEnum, OrderKindEnum, OrderStatusEnum, RetryActionEnum } from "../checkout/order-states.ts";
import { CheckoutOrderNode } from "../checkout/orders.ts";
import { FrozenByEnum } from "../freeze/frozen-by.ts";
import {
  MailAuthenticationResult,
  MailAutomation,
  MailDirection,
  MailMessageNode,
  MailStatus,
} from "../mail/messages.ts";
import { requireScopedAccountId } from "../owner.ts";
import { SchemeEnum } from "../payments/requirements.ts";
import { TradeNode, TradeStatus } from "../trade/trades.ts";
import { toLedgerAmount } from "../wallet/token-amounts.ts";
import { TransactionDirection, TransactionNode, TransactionStatus, TransactionType } from "../wallet/transactions.ts";
import { AccountEventNode } from "./account-events.ts";
import { WebhookNode } from "./webhooks.ts";

const toDate = (time: string) => new Date(time);
const toDateOrNull = (time: string | null | undefined) => (time ? new Date(time) : null);

const PaymentEventDataType = builder.objectRef<PaymentEventData>("PaymentEventData").implement({
  description: "A payment when it ended.",
  fields: (t) => ({
    transactionId: t.exposeID("id", { description: "The ledger id." }),
    transactionType: t.field({
      type: TransactionType,
      description: "The type.",
      resolve: ({ type }) => type as "x402",
    }),
    transactionStatus: t.field({
      type: TransactionStatus,
      description: "The final status.",
      resolve: ({ status }) => status as "settled",
    }),
    transactionDirection: t.field({
      type: TransactionDirection,
      description: "The direction.",
      resolve: ({ direction }) => direction as "out",
    }),
    amount: t.field({
      type: TokenAmountType,
      description: "The charged amount; for a payment that was not settled, the authorized amount.",
      resolve: (payment, _args, context) => toLedgerAmount(context, payment, payment.amountAtomic),
    }),
    feeUsd: t.field({
      type: "Usd",
      description: "The fee, in addition to the amount.",
      resolve: ({ fee }) => parseUsd(fee, "fee"),
    }),
    paidFromCredit: t.exposeBoolean("paidFromCredit", { description: "Whether free credit paid the transaction." }),
    scheme: t.field({
      type: SchemeEnum,
      nullable: true,
      description: "The scheme of an X402 payment. Null for other types.",
      resolve: ({ scheme }) => scheme as "exact" | null,
    }),
    resource: t.exposeString("resource", { nullable: true, description: "The URL of the paid resource." }),
    payTo: t.exposeString("payTo", { nullable: true, description: "The address of the recipient." }),
    txHash: t.exposeString("txHash", { nullable: true, description: "The hash of the transaction on the network." }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "The reason for the release or failure. Null if the payment was settled.",
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the payment was reserved.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    settledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the settlement was recorded. Null if the payment was not settled.",
      resolve: ({ settledAt }) => toDateOrNull(settledAt),
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The current row of the ledger.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.transaction.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
        }),
    }),
  }),
});

function toTradeAmount(text: string, { symbol, address, decimals }: EventToken, network: string): TokenAmount {
  return { atomic: parseDecimal(text, decimals, "amount"), decimals, symbol, asset: address, network };
}

const TradeEventDataType = builder.objectRef<TradeEventData>("TradeEventData").implement({
  description: "A trade when it ended.",
  fields: (t) => ({
    tradeId: t.exposeID("id", { description: "The trade's own id." }),
    tradeStatus: t.field({
      type: TradeStatus,
      description: "The final status.",
      resolve: ({ status }) => status as "settled",
    }),
    sold: t.field({
      type: TokenAmountType,
      description: "The sold amount.",
      resolve: ({ sellAmount, sellToken, network }) => toTradeAmount(sellAmount, sellToken, network),
    }),
    bought: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The bought amount. Null if no tokens arrived.",
      resolve: ({ buyAmount, buyToken, network }) =>
        buyAmount === null ? null : toTradeAmount(buyAmount, buyToken, network),
    }),
    minBought: t.field({
      type: TokenAmountType,
      description: "The minimum of the bought amount.",
      resolve: ({ minBuyAmount, buyToken, network }) => toTradeAmount(minBuyAmount, buyToken, network),
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "The reason for the failure. Null if the trade was settled.",
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the trade was requested.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    trade: t.prismaField({
      type: TradeNode,
      nullable: true,
      description: "The trade.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.trade.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
        }),
    }),
  }),
});

const MailEventAuthentication = builder
  .objectRef<{ spf: string | null; dkim: string | null; dmarc: string | null }>("MailEventAuthentication")
  .implement({
    description: "Results of sender authentication. `MailMessage.authentication` has the verdict.",
    fields: (t) => ({
      spf: t.field({
        type: MailAuthenticationResult,
        nullable: true,
        description: "The SPF result. Null if not checked.",
        resolve: ({ spf }) => spf as CheckResult | null,
      }),
      dkim: t.field({
        type: MailAuthenticationResult,
        nullable: true,
        description: "The DKIM result. Null if not checked.",
        resolve: ({ dkim }) => dkim as CheckResult | null,
      }),
      dmarc: t.field({
        type: MailAuthenticationResult,
        nullable: true,
        description: "The DMARC result. Null if not checked.",
        resolve: ({ dmarc }) => dmarc as CheckResult | null,
      }),
    }),
  });

const MailEventDataType = builder.objectRef<MailEventData>("MailEventData").implement({
  description: "A received message, or the outcome of a sent one, without its text.",
  fields: (t) => ({
    messageId: t.exposeID("id", { description: "The message's own id." }),
    threadId: t.exposeID("threadId", { description: "The own id of the message's thread." }),
    messageDirection: t.field({
      type: MailDirection,
      description: "Whether the message was received or sent.",
      resolve: ({ direction }) => direction as "inbound",
    }),
    messageStatus: t.field({
      type: MailStatus,
      description: "The status of the message.",
      resolve: ({ status }) => status as "received",
    }),
    from: t.exposeString("from", { description: "The sender's address in the From field. Can be forged." }),
    fromName: t.exposeString("fromName", {
      description: "The sender's name in the From field. Can be forged; may be empty.",
    }),
    to: t.exposeStringList("to", { description: "The addresses in the To field." }),
    cc: t.exposeStringList("cc", { description: "The addresses in the Cc field." }),
    subject: t.exposeString("subject", { description: "The subject. May be empty." }),
    isDeleted: t.boolean({
      description: "Whether the message was deleted. Subject and addresses are then empty.",
      resolve: ({ isDeleted = false }) => isDeleted,
    }),
    automated: t.field({
      type: MailAutomation,
      nullable: true,
      description: "The kind of automated message. Null for sent messages, and if it does not appear to be automated.",
      resolve: (message) => ("automated" in message ? (message.automated as "bulk" | null) : null),
    }),
    authentication: t.field({
      type: MailEventAuthentication,
      nullable: true,
      description: "Results of sender authentication. Null for sent messages.",
      resolve: (message) => ("authentication" in message ? message.authentication : null),
    }),
    sizeBytes: t.exposeInt("sizeBytes", { description: "The size as received or sent, in bytes." }),
    failureReason: t.string({
      nullable: true,
      description: "The reason why the message was not sent or bounced. Null otherwise.",
      resolve: (message) => ("failureReason" in message ? message.failureReason : null),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the message was received or created.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    sentAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the mail server accepted the message. Null for received messages and before that.",
      resolve: (message) => ("sentAt" in message ? toDateOrNull(message.sentAt) : null),
    }),
    message: t.prismaField({
      type: MailMessageNode,
      nullable: true,
      description: "The message with its text. Null if it was deleted.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.mailMessage.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "email:read") },
        }),
    }),
  }),
});

const AgentEventDataType = builder.objectRef<AgentEventData>("AgentEventData").implement({
  description: "An agent when it was registered or revoked.",
  fields: (t) => ({
    agentRecordId: t.exposeID("agentRecordId", { description: "The id of the agent's record." }),
    agentId: t.exposeInt("agentId", { nullable: true, description: "The agent's id in the registry, 0 or greater." }),
    agentStatus: t.field({
      type: AgentStatusEnum,
      description: "The status of the agent.",
      resolve: ({ status }) => status as "active",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the registry." }),
    registry: t.exposeString("registry", { description: "The registry's contract address." }),
    registeredAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the agent was registered. Null until then.",
      resolve: ({ registeredAt }) => toDateOrNull(registeredAt),
    }),
    revokedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the agent was revoked. Null unless it is revoked.",
      resolve: ({ revokedAt }) => toDateOrNull(revokedAt),
    }),
    revokedReason: t.exposeString("revokedReason", {
      nullable: true,
      description: "The reason for the revocation. Null if the account owner gave none.",
    }),
    agent: t.prismaField({
      type: AgentNode,
      nullable: true,
      description: "The agent.",
      resolve: (query, { agentRecordId: id }, _args, context) =>
        context.deps.db.prisma.agent.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "agent:read") },
        }),
    }),
  }),
});

const OrderEventDataType = builder.objectRef<OrderEventData>("CheckoutOrderEventData").implement({
  description: "An order when it required approval, was dispatched, or ended.",
  fields: (t) => ({
    orderId: t.exposeID("id", { description: "The order's own id." }),
    orderKind: t.field({ type: OrderKindEnum, description: "The kind.", resolve: ({ kind }) => kind as "purchase" }),
    orderStatus: t.field({
      type: OrderStatusEnum,
      description: "The status of the order.",
      resolve: ({ status }) => status as "pending",
    }),
    approvedAmount: t.field({
      type: MoneyType,
      nullable: true,
      description: "The approved amount, which is the maximum charge. Null for an exploration.",
      resolve: ({ amountMinor, currency }) => toMoney(amountMinor, currency),
    }),
    chargedAmount: t.field({
      type: MoneyType,
      nullable: true,
      description: "The charge as stated by the merchant's page. Null until it states one.",
      resolve: ({ amountChargedMinor, currency }) => toMoney(amountChargedMinor, currency),
    }),
    isTest: t.exposeBoolean("test", {
      description: "Whether the order was placed at a test merchant, where no real money moves.",
    }),
    retryable: t.exposeBoolean("retryable", {
      nullable: true,
      description: "Whether a new order may succeed. Null until the order has ended.",
    }),
    retryAction: t.field({
      type: RetryActionEnum,
      nullable: true,
      description: "The only next call that the client should make. Null until the order has ended.",
      resolve: ({ retryAction }) => retryAction as "none" | null,
    }),
    errorCode: t.field({
      type: OrderErrorCodeEnum,
      nullable: true,
      description: "The cause of a failed order, or of an overcharge. Null otherwise.",
      resolve: ({ errorCode }) => errorCode as FailureCause | null,
    }),
    errorMessage: t.exposeString("errorMessage", { nullable: true, description: "User-facing text of the error." }),
    merchantOrderNumber: t.exposeString("merchantOrderNumber", {
      nullable: true,
      description: "The merchant's order number. Null until the merchant states one.",
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the order was created.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    completedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the order ended. Null until then.",
      resolve: ({ completedAt }) => toDateOrNull(completedAt),
    }),
    order: t.prismaField({
      type: CheckoutOrderNode,
      nullable: true,
      description: "The order, with its merchant.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.checkoutOrder.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
        }),
    }),
  }),
});

const FreezeEventDataType = builder.objectRef<FreezeEventData>("FreezeEventData").implement({
  description: "The start or end of the account's freeze.",
  fields: (t) => ({
    freezeId: t.exposeID("id", { description: "The id of the freeze, which its start and end have in common." }),
    frozenBy: t.field({
      type: FrozenByEnum,
      description: "Who froze the account.",
      resolve: ({ frozenBy }) => frozenBy as "owner",
    }),
    frozenAt: t.field({
      type: "DateTime",
      description: "Timestamp when the account was frozen.",
      resolve: ({ frozenAt }) => toDate(frozenAt),
    }),
    resumedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the freeze ended. Null while it was in force.",
      resolve: ({ resumedAt }) => toDateOrNull(resumedAt),
    }),
  }),
});

const WebhookTestEventDataType = builder.objectRef<WebhookTestEventData>("WebhookTestEventData").implement({
  description: "A requested test event.",
  fields: (t) => ({
    text: t.exposeString("message", { description: "The text of the test." }),
    webhook: t.prismaField({
      type: WebhookNode,
      nullable: true,
      description: "The webhook that was tested. Null if it was deleted.",
      resolve: (query, { webhookId: id }, _args, context) =>
        context.deps.db.prisma.webhookEndpoint.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "account:manage") },
        }),
    }),
  }),
});

/** The type of the data of each family of events. */
const DATA_TYPES = {
  payment: PaymentEventDataType,
  trade: TradeEventDataType,
  mail: MailEventDataType,
  agent: AgentEventDataType,
  order: OrderEventDataType,
  account: FreezeEventDataType,
  webhook: WebhookTestEventDataType,
} as const satisfies Record<EventFamily, object>;

const AccountEventData = builder.unionType("AccountEventData", {
  description:
    "The data of an event, by the family of its type. It is a snapshot of the time when the event was recorded.",
  types: Object.values(DATA_TYPES),
});

builder.objectField(AccountEventNode, "data", (t) =>
  t.field({
    type: AccountEventData,
    description: "The data of the event.",
    resolve({ type, payload }) {
      const data = payload as unknown as EventData;
      brandWithType(data, DATA_TYPES[familyOf(type as EventType)]);
      return data;
    },
  }),
);
