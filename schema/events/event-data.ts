/** The data of events: one type for each family of event types. Links are null for deleted objects. */
import { brandWithType } from "@pothos/core";
import {
  type AgentEventData,
  type EventData,
  type EventFamily,
  type FreezeEventData,
  familyOf,
  type WebhookTestEventData,
} from "../../src/events/event-data.ts";
import type { EventType } from "../../src/events/event-types.ts";
import { AgentNode, AgentStatusEnum } from "../agents/agents.ts";
import { builder } from "../builder.ts";
import { FrozenByEnum } from "../freeze/frozen-by.ts";
import { requireScopedAccountId } from "../owner.ts";
import { AccountEventNode } from "./account-events.ts";
import { toDate, toDateOrNull } from "./event-dates.ts";
import { MailEventDataType } from "./mail-event-data.ts";
import { OrderEventDataType } from "./order-event-data.ts";
import { PaymentEventDataType } from "./payment-event-data.ts";
import { TradeEventDataType } from "./trade-event-data.ts";
import { WebhookNode } from "./webhooks.ts";

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
