import type { AccountEvent } from "../../generated/prisma/client.ts";
import { eventChannel } from "../../src/events/event-feed.ts";
import { builder } from "../builder.ts";
import { AFTER, CURSOR, RESUMABLE, resuming, type Update, watchRows } from "../resumable-updates.ts";
import { AccountEventNode, EventTypeEnum, visibleEvents } from "./account-events.ts";

const OccurrenceType = builder.objectRef<Update<AccountEvent>>("AccountEventOccurrence").implement({
  description: "An event that has just been recorded.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    event: t.expose("row", { type: AccountEventNode, description: "What happened." }),
  }),
});

builder.subscriptionField("accountEventOccurred", (t) =>
  t.field({
    type: OccurrenceType,
    ...RESUMABLE,
    description: `What happens to the account, as it happens, as far as the credential may see it. ${resuming("happened")}`,
    args: {
      types: t.arg({ type: [EventTypeEnum], description: "Of these types; empty or absent: of any." }),
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { types, after }, context) => {
      const mine = visibleEvents(context, types);
      const { events, db, pubsub, logger } = context.deps;
      const { accountEvent } = db.prisma;
      const watched = watchRows({
        // Events never move: their place in the list is the time they are resumed by.
        movedAt: "recordedAt",
        listen: () => pubsub.subscribe(eventChannel(mine.accountId)),
        find: (id) => accountEvent.findFirst({ where: { id, ...mine } }),
        findSince: ({ where, ...page }) => accountEvent.findMany({ where: { ...mine, ...where }, ...page }),
        after,
      });
      // Listened to before, so that what the first look finds is told as well.
      events.collector.follow(mine.accountId).catch((error: unknown) => {
        logger.warn({ err: error }, "an account's events are not collected yet");
      });
      return watched;
    },
    resolve: (update) => update,
  }),
);
