import type { WebhookDelivery } from "../../generated/prisma/client.ts";
import { replayDelivery, replayEventsSince, sendTestEvent } from "../../src/events/replay.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { WebhookDeliveryNode, WebhookNode } from "./webhooks.ts";

const ERRORS = BOUNDED_ERRORS;
const DELIVERY = { type: WebhookDeliveryNode, description: "The queued delivery." };

const SendTestEventInput = builder.inputType("SendTestEventInput", {
  description: "The webhook to test.",
  fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook's id.", validate: idOf("Webhook") }) }),
});

const SendTestEventSuccess = builder.objectRef<{ delivery: WebhookDelivery }>("SendTestEventSuccess").implement({
  description: "The test event is queued. The delivery contains its result.",
  fields: (t) => ({ delivery: t.expose("delivery", DELIVERY) }),
});

builder.mutationField("sendTestEvent", (t) =>
  t.field({
    type: SendTestEventSuccess,
    description:
      "Sends a `webhook.test` event to one webhook, regardless of its event types. At most 10 requests per minute. Requires the scope `account:manage`.",
    errors: {
      types: ERRORS,
      union: {
        name: "SendTestEventResult",
        description: "The delivery of the test event, or the error that prevented it.",
      },
    },
    args: { input: t.arg({ type: SendTestEventInput, required: true, description: "The webhook." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      delivery: await sendTestEvent(deps, viewer, input.webhookId),
    }),
  }),
);

const ReplayWebhookDeliveryInput = builder.inputType("ReplayWebhookDeliveryInput", {
  description: "The delivery to replay.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The delivery's id.", validate: idOf("WebhookDelivery") }),
  }),
});

const ReplayWebhookDeliverySuccess = builder
  .objectRef<{ delivery: WebhookDelivery }>("ReplayWebhookDeliverySuccess")
  .implement({
    description: "The event is queued again with the same `webhook-id`.",
    fields: (t) => ({ delivery: t.expose("delivery", DELIVERY) }),
  });

builder.mutationField("replayWebhookDelivery", (t) =>
  t.field({
    type: ReplayWebhookDeliverySuccess,
    description:
      "Resends an event to its webhook, even if it was delivered. Failed attempts are retried as for a new delivery. At most 60 requests per minute. Requires the scope `account:manage`.",
    errors: {
      types: ERRORS,
      union: {
        name: "ReplayWebhookDeliveryResult",
        description: "The delivery, or the error that prevented the replay.",
      },
    },
    args: { input: t.arg({ type: ReplayWebhookDeliveryInput, required: true, description: "The delivery." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { delivery: await replayDelivery(deps, viewer, id) };
    },
  }),
);

const ReplayEventsSinceInput = builder.inputType("ReplayEventsSinceInput", {
  description: "The webhook and the events to replay.",
  fields: (t) => ({
    webhookId: t.id({ required: true, description: "The webhook's id.", validate: idOf("Webhook") }),
    since: t.field({ type: "DateTime", required: true, description: "Earliest time of the events, inclusive." }),
    includeDelivered: t.boolean({
      defaultValue: false,
      description: "Whether to include delivered events. Default: only events that were never sent or that failed.",
    }),
  }),
});

const ReplayEventsSinceSuccess = builder
  .objectRef<{ count: number; webhookId: string }>("ReplayEventsSinceSuccess")
  .implement({
    description: "The events are queued.",
    fields: (t) => ({
      count: t.exposeInt("count", { description: "The number of queued events." }),
      webhook: t.prismaField({
        type: WebhookNode,
        description: "The webhook with its deliveries.",
        resolve: (query, { webhookId: id }, _args, { deps }) =>
          deps.db.prisma.webhookEndpoint.findUniqueOrThrow({ ...query, where: { id } }),
      }),
    }),
  });

builder.mutationField("replayEventsSince", (t) =>
  t.field({
    type: ReplayEventsSinceSuccess,
    description:
      "Replays retained events of the webhook's types since a time, for example after an outage. Delivered events are skipped unless `includeDelivered` is true. At most 6 requests per minute. Requires the scope `account:manage`.",
    errors: {
      types: ERRORS,
      union: {
        name: "ReplayEventsSinceResult",
        description: "The number of queued events, or the error that prevented the replay.",
      },
    },
    args: { input: t.arg({ type: ReplayEventsSinceInput, required: true, description: "The replay." }) },
    resolve: async (_root, { input: { webhookId, since, includeDelivered } }, { deps, viewer }) => ({
      webhookId,
      count: await replayEventsSince(deps, viewer, {
        webhookId,
        since,
        includeDelivered: includeDelivered ?? false,
      }),
    }),
  }),
);
