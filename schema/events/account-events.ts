import { requireAccount } from "../../src/accounts/viewer.ts";
import { EVENT_TYPES, type EventType, visibleTypes } from "../../src/events/event-types.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { findVisible } from "../find-visible.ts";
import { PAGES, readPage } from "../paging.ts";

export const EventTypeEnum = builder.enumType("AccountEventType", {
  description: "What happened. Webhooks and REST write `PAYMENT_SETTLED` as `payment.settled`, and so on.",
  values: Object.fromEntries(
    Object.entries(EVENT_TYPES).map(([type, { description }]) => [
      type.toUpperCase().replaceAll(".", "_"),
      { value: type as EventType, description },
    ]),
  ),
});

/** What the caller may see, of the types asked for; and their account. */
export function visibleEvents({ viewer }: Context, asked: readonly EventType[] | null | undefined) {
  const account = requireAccount(viewer);
  return { accountId: account.accountId, type: { in: visibleTypes(account, asked ?? []) } };
}

export const AccountEventNode = builder.prismaNode("AccountEvent", {
  id: { field: "id", description: "The event's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.accountEvent.findMany({
      select: { id: true },
      where: { id: { in: ids }, ...visibleEvents(context, null) },
    }),
  ),
  nullable: true,
  description: "Something that happened to the account. Kept 30 days.",
  fields: (t) => ({
    eventId: t.exposeID("id", { description: "The event's own id: `webhook-id` and `id` of what webhooks are sent." }),
    type: t.field({ type: EventTypeEnum, description: "What happened.", resolve: ({ type }) => type as EventType }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it happened." }),
    data: t.field({
      type: "JSON",
      description: "What there is to say about it, as webhooks are sent it: `docs/webhooks.md` shows each type's.",
      resolve: ({ payload }) => payload,
    }),
  }),
});

const EventFilter = builder.inputType("AccountEventFilter", {
  description: "Which events; all that is given must hold.",
  fields: (t) => ({
    types: t.field({ type: [EventTypeEnum], description: "Of these types; empty or absent: of any." }),
    since: t.field({ type: "DateTime", description: "That happened at this time or later." }),
    until: t.field({ type: "DateTime", description: "That happened before this time." }),
  }),
});

const EventOrder = builder.enumType("AccountEventOrder", {
  description: "The order of events.",
  values: {
    NEWEST_FIRST: { value: "desc", description: "As a person reads them." },
    OLDEST_FIRST: {
      value: "asc",
      description: "As a program follows them: whatever is recorded later stands after the last cursor.",
    },
  } as const,
});

builder.objectField(ViewerType, "events", (t) =>
  t.prismaConnection(
    {
      type: AccountEventNode,
      ...PAGES,
      description: "What happened to the account in the last 30 days, as far as the credential may see it.",
      args: {
        filter: t.arg({ type: EventFilter, description: "Which of them; default all." }),
        order: t.arg({ type: EventOrder, defaultValue: "desc", description: "Which come first." }),
      },
      resolve: async (query, _viewer, { filter, order }, context) => {
        const { types, since, until } = filter ?? {};
        const visible = visibleEvents(context, types);
        const { events, db } = context.deps;
        await events.collector.follow(visible.accountId);
        const { accountId } = visible;
        return await readPage(
          query,
          { accountId },
          (page) =>
            db.prisma.accountEvent.findMany({
              ...page,
              where: { ...visible, createdAt: { ...(since ? { gte: since } : {}), ...(until ? { lt: until } : {}) } },
              orderBy: [{ recordedAt: order ?? "desc" }, { id: order ?? "desc" }],
            }),
          (where) => db.prisma.accountEvent.count({ where }),
        );
      },
    },
    { name: "AccountEventConnection", description: "A page of events." },
    { name: "AccountEventEdge", description: "An event in a list." },
  ),
);
