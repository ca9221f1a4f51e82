import type { AccountEvent, Prisma } from "../../generated/prisma/client.ts";
import type { EventType } from "../../src/events/event-types.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { childPages } from "../child-pages.ts";
import type { Context } from "../context.ts";
import { findVisible } from "../find-visible.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { AccountEventNode, EventTypeEnum, visibleEvents } from "./account-events.ts";

const DisabledReason = builder.enumType("WebhookDisabledReason", {
  description: "Why a webhook is turned off.",
  values: {
    PERSON: { value: "person", description: "Somebody turned it off." },
    FAILING: { value: "failing", description: "It took no event for five days." },
    GONE: { value: "gone", description: "It answered 410 (Gone): it wants no more events." },
  } as const,
});

const DeliveryStatus = builder.enumType("WebhookDeliveryStatus", {
  description: "How far a delivery is.",
  values: {
    PENDING: { value: "pending", description: "Not made yet, or waiting for its next attempt." },
    DELIVERED: { value: "delivered", description: "The endpoint took it." },
    FAILED: { value: "failed", description: "Given up; it can be replayed." },
  } as const,
});

export const WebhookNode = builder.prismaNode("WebhookEndpoint", {
  name: "Webhook",
  id: { field: "id", description: "The webhook's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "account:manage") }),
  nullable: true,
  description: "An address of the account's own that is told of events. Its secret was shown once, when it was made.",
  fields: (t) => ({
    webhookId: t.exposeID("id", { description: "The webhook's own id, as REST shows it." }),
    url: t.expose("url", { type: "Url", description: "Where events are sent." }),
    description: t.exposeString("description", { description: "What it is for." }),
    eventTypes: t.field({
      type: [EventTypeEnum],
      description: "What it is told of; empty: everything.",
      resolve: ({ eventTypes }) => eventTypes as EventType[],
    }),
    isEnabled: t.boolean({
      description: "Whether it is told at all.",
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    disabledAt: t.expose("disabledAt", { type: "DateTime", nullable: true, description: "When it was turned off." }),
    disabledReason: t.field({
      type: DisabledReason,
      nullable: true,
      description: "Why it was turned off; null while it is on.",
      resolve: ({ disabledReason }) => disabledReason as "person" | null,
    }),
    failingSince: t.expose("failingSince", {
      type: "DateTime",
      nullable: true,
      description: "Since when every attempt failed; null when the last was successful.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
  }),
});

export const WebhookDeliveryNode = builder.prismaNode("WebhookDelivery", {
  id: { field: "id", description: "The delivery's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.webhookDelivery.findMany({
      select: { id: true },
      where: { id: { in: ids }, endpoint: { accountId: ownAccountIdWithin(context, "account:manage") } },
    }),
  ),
  nullable: true,
  description: "One event on its way to one webhook.",
  fields: (t) => ({
    deliveryId: t.exposeID("id", { description: "The delivery's own id." }),
    status: t.field({
      type: DeliveryStatus,
      description: "How far it is.",
      resolve: ({ status }) => status as "pending",
    }),
    attempts: t.exposeInt("attempts", { description: "How often it was tried; a replay begins anew." }),
    responseStatus: t.exposeInt("responseStatus", {
      nullable: true,
      description: "The HTTP status of the last answer; null when there was none.",
    }),
    failureReason: t.exposeString("failureReason", { nullable: true, description: "Why the last attempt failed." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it became due." }),
    lastAttemptAt: t.expose("lastAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last tried.",
    }),
    nextAttemptAt: t.expose("nextAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "When it is tried next, at the latest; null once it is delivered or given up.",
    }),
    deliveredAt: t.expose("deliveredAt", { type: "DateTime", nullable: true, description: "When it was taken." }),
    eventId: t.exposeID("eventId", { description: "The event's own id: what is sent as `webhook-id`." }),
    event: t.loadable({
      type: AccountEventNode,
      nullable: true,
      description: "The event; null when the credential may not see events of its type.",
      load: findEvents,
      resolve: ({ eventId }) => eventId,
    }),
    webhook: t.relation("endpoint", { type: WebhookNode, description: "Where it goes." }),
  }),
});

/** Those of the events that the caller may see, in one read: Prisma gathers no look-ups with a condition besides. */
async function findEvents(ids: readonly string[], context: Context): Promise<(AccountEvent | null)[]> {
  const { accountEvent } = context.deps.db.prisma;
  const rows = await accountEvent.findMany({ where: { id: { in: [...ids] }, ...visibleEvents(context, null) } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

const DeliveryFilter = builder.inputType("WebhookDeliveryFilter", {
  description: "Which deliveries; all that is given must hold.",
  fields: (t) => ({
    status: t.field({ type: DeliveryStatus, description: "How far they are." }),
    types: t.field({ type: [EventTypeEnum], description: "Of events of these types; empty or absent: of any." }),
  }),
});

const deliveriesOf = childPages(
  {
    table: "webhook_deliveries",
    parentColumn: "endpoint_id",
    timeColumn: "created_at",
    order: "newest first",
    condition: `($4::text IS NULL OR child.status = $4) AND ($5::text[] IS NULL
      OR EXISTS (SELECT FROM account_events AS event WHERE event.id = child.event_id AND event.type = ANY($5)))`,
  },
  ({ deps }, selection: Prisma.WebhookDeliveryDefaultArgs, ids) =>
    deps.db.prisma.webhookDelivery.findMany({ ...selection, where: { id: { in: ids } } }),
  (context, id) => {
    const accountId = ownAccountIdWithin(context, "account:manage");
    return context.deps.db.prisma.webhookDelivery.count({ where: { id, endpoint: { accountId } } });
  },
);

builder.prismaObjectField(WebhookNode, "deliveries", (t) =>
  t.prismaConnection(
    {
      type: WebhookDeliveryNode,
      ...PAGES,
      description: "What was sent there and what is on its way, newest first.",
      args: { filter: t.arg({ type: DeliveryFilter, description: "Which of them; default all." }) },
      resolve: (query, { id }, { filter }, context) =>
        deliveriesOf(context, query, id, [filter?.status ?? null, filter?.types?.length ? filter.types : null]),
    },
    { name: "WebhookDeliveryConnection", description: "A page of deliveries." },
    { name: "WebhookDeliveryEdge", description: "A delivery in a list." },
  ),
);

builder.objectField(ViewerType, "webhooks", (t) =>
  t.prismaConnection(
    {
      type: WebhookNode,
      ...PAGES,
      description: "Addresses that are told what happens to the account, newest first.",
      // Their addresses often hold a secret of whoever takes the events.
      resolve: async (query, _viewer, _args, context) => {
        const accountId = ownAccountIdWithin(context, "account:manage");
        const { webhookEndpoint } = context.deps.db.prisma;
        return await readPage(
          query,
          { accountId },
          (page) => webhookEndpoint.findMany({ ...page, where: { accountId }, orderBy: NEWEST_FIRST }),
          (where) => webhookEndpoint.count({ where }),
        );
      },
    },
    { name: "WebhookConnection", description: "A page of webhooks." },
    { name: "WebhookEdge", description: "A webhook in a list." },
  ),
);
