import type { WebhookDelivery } from "../../generated/prisma/client.ts";
import { replayDelivery, replayEventsSince, sendTestEvent } from "../../src/events/replay.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { WebhookDeliveryNode } from "./webhooks.ts";

const ERRORS = BOUNDED_ERRORS;
const DELIVERY = { type: WebhookDeliveryNode, description: "The delivery, on its way." };

const SendTestEventInput = builder.inputType("SendTestEventInput", {
  description: "Which webhook to try.",
  fields: (t) => ({ webhookId: t.globalID({ required: true, description: "The webhook's global id." }) }),
});

const SendTestEventSuccess = builder.objectRef<{ delivery: WebhookDelivery }>("SendTestEventSuccess").implement({
  description: "The test is on its way; the delivery tells what became of it.",
  fields: (t) => ({ delivery: t.expose("delivery", DELIVERY) }),
});

builder.mutationField("sendTestEvent", (t) =>
  t.field({
    type: SendTestEventSuccess,
    description:
      "Sends a `webhook.test` event to one webhook, whatever it is told of. At most 10 a minute. Needs the scope `account:manage`.",
    errors: {
      types: ERRORS,
      union: { name: "SendTestEventResult", description: "The delivery of the test, or why there is none." },
    },
    args: { input: t.arg({ type: SendTestEventInput, required: true, description: "The webhook." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      delivery: await sendTestEvent(deps, viewer, idOf("Webhook", input.webhookId, "webhookId")),
    }),
  }),
);

const ReplayWebhookDeliveryInput = builder.inputType("ReplayWebhookDeliveryInput", {
  description: "The delivery to make once more.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The delivery's global id." }) }),
});

const ReplayWebhookDeliverySuccess = builder
  .objectRef<{ delivery: WebhookDelivery }>("ReplayWebhookDeliverySuccess")
  .implement({
    description: "The event is sent once more, with the same `webhook-id`.",
    fields: (t) => ({ delivery: t.expose("delivery", DELIVERY) }),
  });

builder.mutationField("replayWebhookDelivery", (t) =>
  t.field({
    type: ReplayWebhookDeliverySuccess,
    description:
      "Sends an event to its webhook once more, delivered or not, with all its retries. Needs the scope `account:manage`.",
    errors: {
      types: ERRORS,
      union: { name: "ReplayWebhookDeliveryResult", description: "The delivery, or why it is not made again." },
    },
    args: { input: t.arg({ type: ReplayWebhookDeliveryInput, required: true, description: "The delivery." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { delivery: await replayDelivery(deps, viewer, idOf("WebhookDelivery", id)) };
    },
  }),
);

const ReplayEventsSinceInput = builder.inputType("ReplayEventsSinceInput", {
  description: "What to send again, and where.",
  fields: (t) => ({
    webhookId: t.globalID({ required: true, description: "The webhook's global id." }),
    since: t.field({ type: "DateTime", required: true, description: "What happened at this time or later." }),
    includeDelivered: t.boolean({
      defaultValue: false,
      description: "Whether what it took before is sent as well; else only what it was not told of or did not take.",
    }),
  }),
});

const ReplayEventsSinceSuccess = builder.objectRef<{ count: number }>("ReplayEventsSinceSuccess").implement({
  description: "The events are on their way.",
  fields: (t) => ({ count: t.exposeInt("count", { description: "How many." }) }),
});

builder.mutationField("replayEventsSince", (t) =>
  t.field({
    type: ReplayEventsSinceSuccess,
    description:
      "Sends a webhook what happened since a time, of the types it is told of and as far as events are kept: after an outage, or for a webhook that is new. At most 6 times a minute. Needs the scope `account:manage`.",
    errors: {
      types: ERRORS,
      union: { name: "ReplayEventsSinceResult", description: "How many events are sent, or why none is." },
    },
    args: { input: t.arg({ type: ReplayEventsSinceInput, required: true, description: "What to send again." }) },
    resolve: async (_root, { input: { webhookId, since, includeDelivered } }, { deps, viewer }) => ({
      count: await replayEventsSince(deps, viewer, {
        webhookId: idOf("Webhook", webhookId, "webhookId"),
        since,
        includeDelivered: includeDelivered ?? false,
      }),
    }),
  }),
);
