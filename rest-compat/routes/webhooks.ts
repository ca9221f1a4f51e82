import { z } from "zod";
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  type WebhookRecordFragment,
  WebhooksDocument,
} from "../generated/graphql.ts";
import { absoluteUrl, idOrNone, toGlobalId, toOwnId } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { EventType, eventTypes } from "./event-types.ts";

const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(EventType).meta({ description: "The subscribed event types; empty: all." }),
  isEnabled: z.boolean().meta({ description: "Whether deliveries are enabled." }),
  disabledReason: z.enum(["person", "failing", "gone"]).nullable().meta({
    description:
      "Reason why the webhook is disabled: by the account owner, after repeated failures, or by a 410 response.",
  }),
  failingSince: z.iso
    .datetime()
    .nullable()
    .meta({ description: "Timestamp since when all delivery attempts have failed." }),
  createdAt: z.iso.datetime(),
});

const EXAMPLE = {
  id: "whk_1795195756000_k3v9Qm2LxT7a",
  url: "https://app.example/webhooks",
  description: "Accounting",
  events: ["payment.settled" as const, "mail.received" as const],
  isEnabled: true,
  disabledReason: null,
  failingSince: null,
  createdAt: "2026-11-20T17:29:16.000Z",
};

function toWebhook({ webhookId, url, description, ...rest }: WebhookRecordFragment): z.input<typeof Webhook> {
  return {
    id: webhookId,
    url,
    description,
    events: rest.eventTypes,
    isEnabled: rest.isEnabled,
    disabledReason: rest.disabledReason,
    failingSince: rest.failingSince,
    createdAt: rest.createdAt,
  };
}

export const webhooks = defineRoute({
  method: "GET",
  path: "/api/webhooks",
  dialect: "native",
  summary: "Webhooks",
  description: "Returns the account's webhooks, newest first.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: WebhooksDocument,
  variables: () => ({}),
  fieldNames: {},
  toResponse: ({ viewer }) =>
    viewer?.webhooks ? { webhooks: viewer.webhooks.edges.map(({ node }) => toWebhook(node)) } : null,
  success: {
    description: "The webhooks.",
    schema: z.object({ webhooks: z.array(Webhook) }),
    example: { webhooks: [EXAMPLE] },
  },
  errors: ["forbidden"],
});

export const webhookCreate = defineRoute({
  method: "POST",
  path: "/api/webhooks",
  dialect: "native",
  summary: "Create a webhook",
  description:
    "Creates a webhook. Satchel delivers later events to its URL as POST requests, signed according to Standard Webhooks. The secret is shown only once. An account can have at most 20 webhooks.",
  movesMoney: false,
  query: z.object({}),
  body: z.object({
    url: absoluteUrl("must be an absolute URL such as https://app.example/webhooks").meta({
      description: "The https URL; redirects are not followed.",
    }),
    description: z.string().nullish().meta({ description: "A description of the webhook." }),
    events: eventTypes.nullish().meta({ description: "The event types to deliver; empty or absent: all." }),
  }),
  bodyExample: '{"url": "https://app.example/webhooks", "events": ["payment.settled", "mail.received"]}',
  document: CreateWebhookDocument,
  variables: ({ body }) => ({
    input: { url: body.url, description: body.description ?? null, eventTypes: body.events ?? null },
  }),
  fieldNames: { eventTypes: "events" },
  toResponse({ createWebhook: result }) {
    if (result.__typename !== "CreateWebhookSuccess") return result;
    return { ...toWebhook(result.webhook), secret: result.secret };
  },
  success: {
    description: "The webhook and its secret.",
    schema: Webhook.extend({
      secret: z.string().meta({ description: "The signing secret of deliveries. Shown only once." }),
    }),
    example: { ...EXAMPLE, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=" },
  },
  errors: ["forbidden", "url_not_allowed", "rate_limited"],
});

export const webhookDelete = defineRoute({
  method: "DELETE",
  path: "/api/webhooks/{id}",
  dialect: "native",
  summary: "Delete a webhook",
  description: "Deletes a webhook. Deliveries in flight may still arrive.",
  movesMoney: false,
  pathParameters: z.object({
    id: z.string().transform(idOrNone).meta({ description: "The webhook's `id`." }),
  }),
  query: z.object({}),
  body: null,
  document: DeleteWebhookDocument,
  variables: ({ path: { id } }) => ({ input: { id: toGlobalId("Webhook", id) } }),
  fieldNames: {},
  toResponse({ deleteWebhook: result }) {
    if (result.__typename !== "DeleteWebhookSuccess") return result;
    return { success: true, id: toOwnId(result.deletedId) };
  },
  success: {
    description: "The webhook is deleted.",
    schema: z.object({ success: z.literal(true), id: z.string() }),
    example: { success: true as const, id: EXAMPLE.id },
  },
  errors: ["forbidden", "not_found"],
});
