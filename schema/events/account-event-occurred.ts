import type { AccountEvent } from "../../generated/prisma/client.ts";
import { eventChannel } from "../../src/events/event-feed.ts";
import { builder } from "../builder.ts";
import { type Update, watchRows } from "../resumable-updates.ts";
import { AccountEventNode, EventTypeEnum, visibleEvents } from "./account-events.ts";

type OccurredEvent = AccountEvent & { readonly updatedAt: Date };

/** Events never move: their place in the list is the time they are resumed by. */
const asOccurred = (event: AccountEvent): OccurredEvent => ({ ...event, updatedAt: event.recordedAt });

const OccurrenceType = builder.objectRef<Update<OccurredEvent>>("AccountEventOccurrence").implement({
  description: "An event that has just been recorded.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    event: t.expose("row", { type: AccountEventNode, description: "What happened." }),
  }),
});

builder.subscriptionField("accountEventOccurred", (t) =>
  t.field({
    type: OccurrenceType,
    complexity: 5,
    // Only those that start with what comes next may share one source: one that resumes sees other events first.
    extensions: { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null },
    description:
      "What happens to the account, as it happens, as far as the credential may see it. With `after`, first what happened since that event, and perhaps again what happened just before it. A client too slow for the events is ended with an error and may resume.",
    args: {
      types: t.arg({ type: [EventTypeEnum], description: "Of these types; empty or absent: of any." }),
      after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }),
    },
    subscribe: (_root, { types, after }, context) => {
      const where = visibleEvents(context, types);
      const { events, db, pubsub, logger } = context.deps;
      const { accountEvent } = db.prisma;
      const watched = watchRows<OccurredEvent>({
        listen: () => pubsub.subscribe(eventChannel(where.accountId)),
        find: async (id) => {
          const event = await accountEvent.findFirst({ where: { id, ...where } });
          return event && asOccurred(event);
        },
        findSince: async ({ updatedAt: recordedAt, id }, take) => {
          const since = { OR: [{ recordedAt: { gt: recordedAt } }, { recordedAt, id: { gt: id } }] };
          const found = await accountEvent.findMany({
            where: { ...where, ...since },
            orderBy: [{ recordedAt: "asc" }, { id: "asc" }],
            take,
          });
          return found.map(asOccurred);
        },
        after: after ?? null,
      });
      // Listened to before, so that what the first look finds is told as well.
      events.collector.follow(where.accountId).catch((error: unknown) => {
        logger.warn({ err: error }, "an account's events are not collected yet");
      });
      return watched;
    },
    resolve: (update) => update,
  }),
);
