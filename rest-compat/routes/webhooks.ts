import { z } from "zod";
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  type WebhookRecordFragment,
  WebhooksDocument,
} from "../generated/graphql.ts";
import { knownForm } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { EventName, eventTypes, nameOfType } from "./event-types.ts";

const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(EventName).meta({ description: "What it is told of; empty: everything." }),
  isEnabled: z.boolean().meta({ description: "Whether it is told at all." }),
  disabledReason: z.enum(["person", "failing", "gone"]).nullable().meta({ description: "Why it was turned off." }),
  failingSince: z.iso.datetime().nullable().meta({ description: "Since when every attempt failed." }),
  createdAt: z.iso.datetime(),
});

const EXAMPLE = {
  id: "whk_1795195756000_k3v9Qm2LxT7a",
  url: "https://app.example/webhooks",
  description: "the shop's books",
  events: ["payment.settled" as const, "mail.received" as const],
  isEnabled: true,
  disabledReason: null,
  failingSince: null,
  createdAt: "2026-11-20T17:29:16.000Z",
};

function toRecord({ webhookId, url, description, ...rest }: WebhookRecordFragment): z.input<typeof Webhook> {
  return {
    id: webhookId,
    url,
    description,
    events: rest.eventTypes.map(nameOfType),
    isEnabled: rest.isEnabled,
    disabledReason: rest.disabledReason ? (rest.disabledReason.toLowerCase() as "person") : null,
    failingSince: rest.failingSince,
    createdAt: rest.createdAt,
  };
}

export const webhooks = defineRoute({
  method: "GET",
  path: "/api/webhooks",
  dialect: "native",
  summary: "Webhooks",
  description: "The account's own addresses that are told what happens to it, newest first.",
  scope: "account:manage",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: WebhooksDocument,
  variables: () => ({}),
  fieldNames: {},
  answer: ({ viewer }) => viewer && { webhooks: viewer.webhooks.edges.map(({ node }) => toRecord(node)) },
  success: {
    description: "Every webhook.",
    schema: z.object({ webhooks: z.array(Webhook) }),
    example: { webhooks: [EXAMPLE] },
  },
  errors: ["forbidden"],
});

export const webhookCreate = defineRoute({
  method: "POST",
  path: "/api/webhooks",
  dialect: "native",
  summary: "Make a webhook",
  description:
    "Has an address told what happens from now on, by POSTs that are signed as Standard Webhooks says. The secret is shown this once. An account has at most 20.",
  scope: "account:manage",
  movesMoney: false,
  query: z.object({}),
  body: z.object({
    url: z.string().meta({ description: "An https address; redirects are not followed." }),
    description: z.string().nullish().meta({ description: "What it is for." }),
    events: eventTypes.nullish().meta({ description: "What it is told of; empty or absent: everything." }),
  }),
  bodyExample: '{"url": "https://app.example/webhooks", "events": ["payment.settled", "mail.received"]}',
  document: CreateWebhookDocument,
  variables: ({ body }) => ({
    input: { url: body.url, description: body.description ?? null, eventTypes: body.events ?? null },
  }),
  fieldNames: { eventTypes: "events" },
  answer({ createWebhook: result }) {
    if (result.__typename !== "CreateWebhookSuccess") return result;
    return { ...toRecord(result.webhook), secret: result.secret };
  },
  success: {
    description: "The webhook and its secret.",
    schema: Webhook.extend({
      secret: z.string().meta({ description: "What deliveries are signed with. Shown this once." }),
    }),
    example: { ...EXAMPLE, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=" },
  },
  errors: ["forbidden", "url_not_allowed", "rate_limited"],
});

export const webhookDelete = defineRoute({
  method: "DELETE",
  path: "/api/webhooks/{id}",
  dialect: "native",
  summary: "Remove a webhook",
  description: "It is told of nothing any more; what is under way may still arrive.",
  scope: "account:manage",
  movesMoney: false,
  pathParameters: z.object({
    id: z.string().transform(knownForm).meta({ description: "The webhook's `id`." }),
  }),
  query: z.object({}),
  body: null,
  document: DeleteWebhookDocument,
  variables: ({ path: { id } }) => ({ input: { id: Buffer.from(`Webhook:${id}`).toString("base64") } }),
  fieldNames: {},
  answer({ deleteWebhook: result }) {
    if (result.__typename !== "DeleteWebhookSuccess") return result;
    return { success: true, id: result.webhookId };
  },
  success: {
    description: "It is gone.",
    schema: z.object({ success: z.literal(true), id: z.string() }),
    example: { success: true as const, id: EXAMPLE.id },
  },
  errors: ["forbidden", "not_found"],
});
