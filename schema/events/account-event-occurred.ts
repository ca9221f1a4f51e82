import type { AccountEvent } from "../../generated/prisma/client.ts";
import { eventChannel } from "../../src/events/event-feed.ts";
import type { EventType } from "../../src/events/event-types.ts";
import { builder } from "../builder.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { AccountEventNode, EventTypeEnum, visibleEvents } from "./account-events.ts";

const OccurrenceType = builder.objectRef<Update<AccountEvent>>("AccountEventOccurrence").implement({
  description: "A newly recorded event.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    event: t.expose("row", { type: AccountEventNode, description: "The event." }),
  }),
});

builder.subscriptionField("accountEventOccurred", (t) =>
  t.field({
    type: OccurrenceType,
    ...RESUMABLE,
    description: `Publishes the account's events as they are recorded, limited to types the credential may read. ${describeResumption("happened")}`,
    args: {
      types: t.arg({ type: [EventTypeEnum], description: "The event types to publish. Default: all." }),
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { types, after }, context) => {
      const visible = visibleEvents(context, types);
      const { events, db, pubsub, logger } = context.deps;
      const { accountEvent } = db.prisma;
      const watched = watchRows({
        // Events never change, so a subscription resumes after the time they were recorded.
        changeColumn: "recordedAt",
        listen: () => pubsub.subscribe(eventChannel(visible.accountId)),
        find: (id) => accountEvent.findFirst({ where: { id, ...visible } }),
        findSince: ({ where, ...page }) => accountEvent.findMany({ where: { ...visible, ...where }, ...page }),
        after,
      });
      // Subscribed before collection starts, so events from the initial collection are published too.
      events.collector.follow(visible.accountId).catch((error: unknown) => {
        logger.warn({ err: error }, "Event collection could not be started for an account");
      });
      return watched;
    },
    // Strict scopes may have been enabled since the client subscribed.
    resolve(update, _args, context) {
      visibleEvents(context, [update.row.type as EventType]);
      return update;
    },
  }),
);
