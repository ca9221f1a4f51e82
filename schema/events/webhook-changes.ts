import type { WebhookEndpoint } from "../../generated/prisma/client.ts";
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookChange,
} from "../../src/events/manage-webhooks.ts";
import { UrlNotAllowedError } from "../../src/platform/egress/errors.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";
import { EventTypeEnum } from "./account-events.ts";
import { WebhookNode } from "./webhooks.ts";

const URL_DESCRIPTION =
  "Where events are sent: https, or http on the machine the service runs on where that is allowed. Redirects are not followed.";
const TYPES_DESCRIPTION = "What it is told of; empty: everything, also what is added later.";

const CreateWebhookInput = builder.inputType("CreateWebhookInput", {
  description: "A new webhook.",
  fields: (t) => ({
    url: t.field({ type: "Url", required: true, description: URL_DESCRIPTION }),
    description: t.string({ validate: StorableText, description: "What it is for; at most 200 characters." }),
    eventTypes: t.field({ type: [EventTypeEnum], description: TYPES_DESCRIPTION }),
  }),
});

interface NewSecret {
  readonly webhook: WebhookEndpoint;
  readonly secret: string;
}

const CreateWebhookSuccess = builder.objectRef<NewSecret>("CreateWebhookSuccess").implement({
  description: "The webhook was made: it is told of what happens from now on.",
  fields: (t) => ({
    webhook: t.expose("webhook", { type: WebhookNode, description: "The new webhook." }),
    secret: t.exposeString("secret", {
      description: "What its deliveries are signed with, `whsec_…`. Shown this once.",
    }),
  }),
});

builder.mutationField("createWebhook", (t) =>
  t.field({
    type: CreateWebhookSuccess,
    description: "Makes a webhook; an account has at most 20. Needs the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, UrlNotAllowedError],
      union: { name: "CreateWebhookResult", description: "The new webhook and its secret, or why there is none." },
    },
    args: { input: t.arg({ type: CreateWebhookInput, required: true, description: "The new webhook." }) },
    resolve: (_root, { input: { url, description, eventTypes } }, { deps, viewer }) =>
      createWebhook(deps, viewer, { url, description: description ?? "", eventTypes: eventTypes ?? [] }),
  }),
);

const UpdateWebhookInput = builder.inputType("UpdateWebhookInput", {
  description: "What to change; the rest stays as it is.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The webhook's global id." }),
    url: t.field({ type: "Url", description: URL_DESCRIPTION }),
    description: t.string({ validate: StorableText, description: "What it is for; at most 200 characters." }),
    eventTypes: t.field({ type: [EventTypeEnum], description: TYPES_DESCRIPTION }),
    isEnabled: t.boolean({
      description: "Whether it is told at all. Turning it off fails what still waits; that can be replayed later.",
    }),
  }),
});

const UpdateWebhookSuccess = builder.objectRef<{ webhook: WebhookEndpoint }>("UpdateWebhookSuccess").implement({
  description: "The webhook is changed.",
  fields: (t) => ({ webhook: t.expose("webhook", { type: WebhookNode, description: "The webhook as it now is." }) }),
});

builder.mutationField("updateWebhook", (t) =>
  t.field({
    type: UpdateWebhookSuccess,
    description: "Changes a webhook, or turns it on or off. Needs the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, UrlNotAllowedError],
      union: { name: "UpdateWebhookResult", description: "The changed webhook, or why nothing changed." },
    },
    args: { input: t.arg({ type: UpdateWebhookInput, required: true, description: "What to change." }) },
    resolve: async (_root, { input: { id, ...given } }, { deps, viewer }) => {
      const change = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
      );
      return { webhook: await updateWebhook(deps, viewer, idOf("Webhook", id), change as WebhookChange) };
    },
  }),
);

const DeleteWebhookInput = builder.inputType("DeleteWebhookInput", {
  description: "The webhook to remove.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The webhook's global id." }) }),
});

const DeleteWebhookSuccess = builder.objectRef<{ webhookId: string }>("DeleteWebhookSuccess").implement({
  description: "The webhook is gone, with its deliveries.",
  fields: (t) => ({ webhookId: t.exposeID("webhookId", { description: "Its own id." }) }),
});

builder.mutationField("deleteWebhook", (t) =>
  t.field({
    type: DeleteWebhookSuccess,
    description: "Removes a webhook; what is under way may still arrive. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "DeleteWebhookResult", description: "That it is gone, or why it is not." },
    },
    args: { input: t.arg({ type: DeleteWebhookInput, required: true, description: "The webhook." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const webhookId = idOf("Webhook", input.id);
      await deleteWebhook(deps, viewer, webhookId);
      return { webhookId };
    },
  }),
);

const RotateWebhookSecretInput = builder.inputType("RotateWebhookSecretInput", {
  description: "The webhook whose secret to replace.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The webhook's global id." }) }),
});

const RotateWebhookSecretSuccess = builder.objectRef<NewSecret>("RotateWebhookSecretSuccess").implement({
  description: "Deliveries are signed with the new secret, and for 24 hours with the one before it as well.",
  fields: (t) => ({
    webhook: t.expose("webhook", { type: WebhookNode, description: "The webhook." }),
    secret: t.exposeString("secret", { description: "The new secret, `whsec_…`. Shown this once." }),
  }),
});

builder.mutationField("rotateWebhookSecret", (t) =>
  t.field({
    type: RotateWebhookSecretSuccess,
    description:
      "Gives a webhook a new secret. The last one signs beside it for 24 hours, any before that not any more. Needs the scope `account:manage`.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RotateWebhookSecretResult", description: "The new secret, or why there is none." },
    },
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: "The webhook." }) },
    resolve: (_root, { input }, { deps, viewer }) => rotateWebhookSecret(deps, viewer, idOf("Webhook", input.id)),
  }),
);
