import type { AccountEvent, Prisma } from "../../generated/prisma/client.ts";
import type { EventType } from "../../src/events/event-types.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { selectedOf } from "../filters.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { wireEnum } from "../wire-enum.ts";
import { AccountEventNode, EventTypeEnum, visibleEvents } from "./account-events.ts";

const DisabledReason = wireEnum("WebhookDisabledReason", "Why a webhook is disabled.", {
  person: "A user disabled the webhook.",
  failing: "The webhook accepted no event for five days.",
  gone: "The endpoint responded with 410 (Gone), so it receives no more events.",
});

const DeliveryStatus = wireEnum("WebhookDeliveryStatus", "The status of a delivery.", {
  pending: "The first or next attempt is pending.",
  delivered: "The endpoint accepted the event.",
  failed: "Delivery failed and is not retried. It can be replayed.",
});

export const WebhookNode = builder.prismaNode("WebhookEndpoint", {
  name: "Webhook",
  id: { field: "id", description: "The webhook's global id." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "account:manage") }),
  nullable: true,
  description: "An endpoint of the account that receives events. Its secret was returned once, when it was created.",
  fields: (t) => ({
    webhookId: t.exposeID("id", { description: "The webhook's own id, as in REST." }),
    url: t.expose("url", { type: "Url", description: "The URL for deliveries." }),
    description: t.exposeString("description", { description: "The description of the webhook." }),
    eventTypes: t.field({
      type: [EventTypeEnum],
      description: "The event types delivered. Empty: all types.",
      resolve: ({ eventTypes }) => eventTypes as EventType[],
    }),
    isEnabled: t.boolean({
      description: "Whether the webhook is enabled.",
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    disabledAt: t.expose("disabledAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the webhook was disabled. Null while it is enabled.",
    }),
    disabledReason: t.field({
      type: DisabledReason,
      nullable: true,
      description: "Why the webhook was disabled. Null while it is enabled.",
      resolve: ({ disabledReason }) => disabledReason as "person" | null,
    }),
    failingSince: t.expose("failingSince", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp of the first failed attempt since the last success. Null if the last attempt succeeded.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the webhook was created." }),
  }),
});

lookUpById("webhook", "Webhook", WebhookNode, "the webhook");

export const WebhookDeliveryNode = builder.prismaNode("WebhookDelivery", {
  id: { field: "id", description: "The delivery's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.webhookDelivery.findMany({
      select: { id: true },
      where: { id: { in: ids }, endpoint: { accountId: requireScopedAccountId(context, "account:manage") } },
    }),
  ),
  nullable: true,
  description: "The delivery of one event to one webhook.",
  fields: (t) => ({
    deliveryId: t.exposeID("id", { description: "The delivery's own id." }),
    status: t.field({
      type: DeliveryStatus,
      description: "The status of the delivery.",
      resolve: ({ status }) => status as "pending",
    }),
    attempts: t.exposeInt("attempts", { description: "The number of attempts. A replay resets it to 0." }),
    responseStatus: t.exposeInt("responseStatus", {
      nullable: true,
      description: "The HTTP status of the last response, or null if there was none.",
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "Why the last attempt failed, or null.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the delivery was created." }),
    lastAttemptAt: t.expose("lastAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp of the last attempt, or null.",
    }),
    nextAttemptAt: t.expose("nextAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "Latest time of the next attempt. Null once the delivery succeeded or failed.",
    }),
    deliveredAt: t.expose("deliveredAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the endpoint accepted the event, or null.",
    }),
    eventId: t.exposeID("eventId", { description: "The event's own id, sent as `webhook-id`." }),
    event: t.loadable({
      type: AccountEventNode,
      nullable: true,
      description: "The event, or null if the credential may not read events of its type.",
      load: findEvents,
      resolve: ({ eventId }) => eventId,
    }),
    webhook: t.relation("endpoint", { type: WebhookNode, description: "The receiving webhook." }),
  }),
});

lookUpById("webhookDelivery", "WebhookDelivery", WebhookDeliveryNode, "the delivery");

/** Loads the events the caller may see in one query: Prisma does not batch look-ups with an additional condition. */
async function findEvents(ids: readonly string[], context: Context): Promise<(AccountEvent | null)[]> {
  const { accountEvent } = context.deps.db.prisma;
  const rows = await accountEvent.findMany({ where: { id: { in: [...ids] }, ...visibleEvents(context, null) } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

const DeliveryFilter = builder.inputType("WebhookDeliveryFilter", {
  description: "Filters for deliveries. All given filters must match.",
  fields: (t) => ({
    statuses: t.field({ type: [DeliveryStatus], description: "The statuses of the deliveries. Default: all." }),
    types: t.field({ type: [EventTypeEnum], description: "The types of their events. Default: all." }),
  }),
});

const deliveriesOf = createConnectionReader(
  {
    table: "webhook_deliveries",
    parentColumn: "endpoint_id",
    timeColumn: "created_at",
    order: "newest first",
    facets: { status: "child.status", type: "child.event_type" },
  },
  ({ deps }, selection: Prisma.WebhookDeliveryDefaultArgs, ids) =>
    deps.db.prisma.webhookDelivery.findMany({ ...selection, where: { id: { in: ids } } }),
  (context, id) => {
    const accountId = requireScopedAccountId(context, "account:manage");
    return context.deps.db.prisma.webhookDelivery.count({ where: { id, endpoint: { accountId } } });
  },
);

const DELIVERIES_BY_TIME = orderedBy(
  orderType("WebhookDeliveryOrder", "deliveries", "CREATED_AT", "The time when the delivery was created."),
  "DESC",
);

builder.prismaObjectField(WebhookNode, "deliveries", (t) =>
  t.connection(
    {
      type: WebhookDeliveryNode,
      ...DELIVERIES_BY_TIME.pages,
      description: "The webhook's deliveries, newest first.",
      args: {
        filter: t.arg({ type: DeliveryFilter, description: "Filters. Default: all deliveries." }),
        orderBy: t.arg(DELIVERIES_BY_TIME.argument),
      },
      resolve: ({ id }, args, context, info) => {
        const facets = { status: selectedOf(args.filter?.statuses), type: selectedOf(args.filter?.types) };
        const deliveries = deliveriesOf(context, id, { facets }, DELIVERIES_BY_TIME.orderOf(args));
        return resolveConnection(args, context, info, deliveries);
      },
    },
    { name: "WebhookDeliveryConnection", description: "A page of deliveries." },
    { name: "WebhookDeliveryEdge", description: "A delivery in a list." },
  ),
);

builder.objectField(ViewerType, "webhooks", (t) =>
  t.connection(
    {
      type: WebhookNode,
      ...PAGES,
      description: "The account's webhooks, newest first.",
      // Restricted, because webhook URLs often contain a secret of the receiver.
      resolve: (_viewer, args, context, info) => {
        const accountId = requireScopedAccountId(context, "account:manage");
        const { webhookEndpoint } = context.deps.db.prisma;
        const webhooks = prismaList(
          { accountId },
          { accountId },
          (query: Prisma.WebhookEndpointFindManyArgs) => webhookEndpoint.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => webhookEndpoint.count(query),
        );
        return resolveConnection(args, context, info, webhooks);
      },
    },
    { name: "WebhookConnection", description: "A page of webhooks." },
    { name: "WebhookEdge", description: "A webhook in a list." },
  ),
);
