import { z } from "zod";
import { EventsDocument } from "../generated/graphql.ts";
import { isoTime, wholeNumber } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { EventType, eventTypeList } from "./event-types.ts";

const DEFAULT_LIMIT = 20;

export const events = defineRoute({
  method: "GET",
  path: "/api/events",
  dialect: "native",
  summary: "List events",
  description:
    "Returns events of the last 30 days, oldest first, for clients that poll instead of receiving webhooks. Events have the same form as in webhooks. Pass `nextCursor` as `after` to get later events, without gaps or duplicates.",
  movesMoney: false,
  query: z.object({
    types: eventTypeList("Only events of these types, separated by commas.").optional(),
    since: isoTime("Only events at or after this time.").optional(),
    after: z
      .string()
      .max(200, "is not a cursor of this list")
      .optional()
      .meta({ description: "The `nextCursor` of the previous page." }),
    limit: wholeNumber({ min: 1, max: 100, default: DEFAULT_LIMIT }, "Maximum number of events.").optional(),
  }),
  body: null,
  document: EventsDocument,
  variables: ({ query: { limit, after, types, since } }) => ({
    first: limit ?? DEFAULT_LIMIT,
    after: after ?? null,
    filter: { types: types ?? null, createdAfter: since ?? null },
  }),
  fieldNames: { first: "limit", createdAfter: "since" },
  toResponse({ viewer }, { after }) {
    if (!viewer?.events) return null;
    const { edges, pageInfo } = viewer.events;
    return {
      events: edges.map(({ node: { eventId, type, createdAt, payload } }) => ({
        id: eventId,
        type,
        createdAt,
        data: payload,
      })),
      hasMore: pageInfo.hasNextPage,
      nextCursor: pageInfo.endCursor ?? after ?? null,
    };
  },
  success: {
    description: "Events, oldest first.",
    schema: z.object({
      events: z.array(
        z.object({
          id: z.string(),
          type: EventType,
          createdAt: z.iso.datetime().meta({ description: "Timestamp of the event." }),
          data: z
            .record(z.string(), z.unknown())
            .meta({ description: "Details of the event; they depend on its type." }),
        }),
      ),
      hasMore: z.boolean().meta({ description: "Whether later events exist." }),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: "The cursor after the last event; null only if there are no events yet." }),
    }),
    example: {
      events: [
        {
          id: "evt_1795195758000_h2Kf81LmQz0P",
          type: "payment.settled",
          createdAt: "2026-11-20T17:29:18.000Z",
          data: { id: "tx_1795195756000_k3v9Qm2LxT7a", type: "x402", status: "settled", amount: "0.25" },
        },
      ],
      hasMore: false,
      nextCursor: "R1BDOlM6ZXZ0XzE3OTUxOTU3NTgwMDBfaDJLZjgxTG1RejBQ",
    },
  },
  errors: ["forbidden"],
});
