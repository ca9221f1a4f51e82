import { z } from "zod";
import { EventsDocument } from "../generated/graphql.ts";
import { isoTime, wholeNumber } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { EventName, eventTypeList, nameOfType } from "./event-types.ts";

const DEFAULT_LIMIT = 20;

export const events = defineRoute({
  method: "GET",
  path: "/api/events",
  dialect: "native",
  summary: "What happened, oldest first",
  description:
    "The last 30 days, as webhooks are told them, for programs that ask instead of being told. Pass `nextCursor` as `after` to have what came since: nothing is missed, and nothing comes twice.",
  scope: "transactions:read",
  movesMoney: false,
  query: z.object({
    types: eventTypeList("Only of these types, separated by commas.").optional(),
    since: isoTime("Only what happened at this time or later.").optional(),
    after: z.string().max(200, "is not a cursor of this list").optional().meta({ description: "Where to go on." }),
    limit: wholeNumber({ min: 1, max: 100, default: DEFAULT_LIMIT }, "How many.").optional(),
  }),
  body: null,
  document: EventsDocument,
  variables: ({ query: { limit, after, types, since } }) => ({
    first: limit ?? DEFAULT_LIMIT,
    after: after ?? null,
    filter: { types: types ?? null, since: since ?? null },
  }),
  fieldNames: { first: "limit" },
  answer({ viewer }, { after }) {
    if (!viewer) return null;
    const { edges, pageInfo } = viewer.events;
    return {
      events: edges.map(({ node: { eventId, type, createdAt, data } }) => ({
        id: eventId,
        type: nameOfType(type),
        createdAt,
        data,
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
          type: EventName,
          createdAt: z.iso.datetime().meta({ description: "When it happened." }),
          data: z.record(z.string(), z.unknown()).meta({ description: "What there is to say, by type." }),
        }),
      ),
      hasMore: z.boolean().meta({ description: "Whether more are there already." }),
      nextCursor: z.string().nullable().meta({ description: "Null only while there has been no event." }),
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
