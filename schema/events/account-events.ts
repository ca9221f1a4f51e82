import type { Prisma } from "../../generated/prisma/client.ts";
import { requireAccount } from "../../src/accounts/viewer.ts";
import { EVENT_TYPES, type EventType, selectVisibleTypes } from "../../src/events/event-types.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { wireEnum } from "../wire-enum.ts";

export const EventTypeEnum = wireEnum<EventType>(
  "AccountEventType",
  "The type of an event. Webhooks and REST use names such as `payment.settled` for `PAYMENT_SETTLED`.",
  Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { description }]) => [type, description])) as Record<
    EventType,
    string
  >,
);

/** Returns the condition for the caller's events of the requested types. @throws {ForbiddenError} for a type the credential may not read */
export function visibleEvents({ viewer }: Context, requested: readonly EventType[] | null | undefined) {
  const account = requireAccount(viewer);
  return { accountId: account.accountId, type: { in: selectVisibleTypes(account, requested ?? []) } };
}

export const AccountEventNode = builder.prismaNode("AccountEvent", {
  id: { field: "id", description: "The event's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.accountEvent.findMany({
      select: { id: true },
      where: { id: { in: ids }, ...visibleEvents(context, null) },
    }),
  ),
  nullable: true,
  description: "An event of the account. Retained for 30 days.",
  fields: (t) => ({
    eventId: t.exposeID("id", {
      description: "The event's id, as in the `webhook-id` header and the `id` field of webhook deliveries.",
    }),
    type: t.field({
      type: EventTypeEnum,
      description: "The type of the event.",
      resolve: ({ type }) => type as EventType,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the event occurred." }),
    payload: t.field({
      type: "JSON",
      description: "The data as JSON, exactly as `data` of webhook deliveries and of `GET /api/events`.",
      resolve: ({ payload }) => payload,
    }),
  }),
});

lookUpById("event", "AccountEvent", AccountEventNode, "the event");

const eventsOf = createConnectionReader(
  {
    ...{ table: "account_events", parentColumn: "account_id", parentType: "uuid", timeColumn: "recorded_at" },
    order: "newest first",
    facets: { type: "child.type" },
  },
  ({ deps }, selection: Prisma.AccountEventDefaultArgs, ids) =>
    deps.db.prisma.accountEvent.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.accountEvent.count({ where: { id, accountId } }),
);

const EventFilter = builder.inputType("AccountEventFilter", {
  description: "Filters for events. All given filters must match.",
  fields: (t) => ({
    types: t.field({ type: [EventTypeEnum], description: "The types of the events. Default: all." }),
    createdAfter: t.field({ type: "DateTime", description: "Returns events that occurred at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Returns events that occurred before this time." }),
  }),
});

/** Clients of REST store cursors of the ascending order. */
const BY_TIME = orderedBy(
  orderType(
    "AccountEventOrder",
    "events",
    "RECORDED_AT",
    "The time when the event was recorded. Events recorded later always follow in ascending order, for polling.",
  ),
  "DESC",
  "ASC",
);

builder.objectField(ViewerType, "events", (t) =>
  t.connection(
    {
      type: AccountEventNode,
      ...BY_TIME.pages,
      description: "The account's events of the last 30 days, limited to types the credential may read.",
      args: {
        filter: t.arg({ type: EventFilter, description: "Filters. Default: all events." }),
        orderBy: t.arg(BY_TIME.argument),
      },
      resolve: async (_viewer, args, context, info) => {
        const { types, createdAfter, createdBefore } = args.filter ?? {};
        const { accountId, type } = visibleEvents(context, types);
        await context.deps.events.collector.follow(accountId);
        const isAnyType = type.in.length === Object.keys(EVENT_TYPES).length;
        const conditions = [
          ...(createdAfter ? [{ sql: "child.created_at >= ?::timestamptz", values: [createdAfter] }] : []),
          ...(createdBefore ? [{ sql: "child.created_at < ?::timestamptz", values: [createdBefore] }] : []),
        ];
        const filter = { facets: { type: isAnyType ? null : type.in }, conditions };
        return await resolveConnection(
          args,
          context,
          info,
          eventsOf(context, accountId, filter, BY_TIME.orderOf(args)),
        );
      },
    },
    {
      name: "AccountEventConnection",
      description: "A page of events.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "AccountEventEdge", description: "An event in a list." },
  ),
);
