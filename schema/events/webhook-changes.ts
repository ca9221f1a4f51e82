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
import { deletedPayload } from "../deleted.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";
import { EventTypeEnum } from "./account-events.ts";
import { WebhookNode } from "./webhooks.ts";

const URL_DESCRIPTION =
  "The URL for deliveries: https, or http on the service's own machine if the operator allows it. Redirects are not followed.";
const TYPES_DESCRIPTION = "The event types to deliver. Empty: all types, including types added later.";

const CreateWebhookInput = builder.inputType("CreateWebhookInput", {
  description: "A new webhook.",
  fields: (t) => ({
    url: t.field({ type: "Url", required: true, description: URL_DESCRIPTION }),
    description: t.string({ validate: StorableText, description: "A description. At most 200 characters." }),
    eventTypes: t.field({ type: [EventTypeEnum], description: TYPES_DESCRIPTION }),
  }),
});

interface NewSecret {
  readonly webhook: WebhookEndpoint;
  readonly secret: string;
}

const CreateWebhookSuccess = builder.objectRef<NewSecret>("CreateWebhookSuccess").implement({
  description: "The webhook was created. It receives events that occur from now on.",
  fields: (t) => ({
    webhook: t.expose("webhook", { type: WebhookNode, description: "The new webhook." }),
    secret: t.exposeString("secret", {
      description: "The secret that signs its deliveries, `whsec_…`. Returned only once.",
    }),
  }),
});

builder.mutationField("createWebhook", (t) =>
  t.field({
    type: CreateWebhookSuccess,
    description: "Creates a webhook. An account can have at most 20 webhooks. Requires the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, UrlNotAllowedError],
      union: {
        name: "CreateWebhookResult",
        description: "The new webhook and its secret, or the error that prevented it.",
      },
    },
    args: { input: t.arg({ type: CreateWebhookInput, required: true, description: "The new webhook." }) },
    resolve: (_root, { input: { url, description, eventTypes } }, { deps, viewer }) =>
      createWebhook(deps, viewer, { url, description: description ?? "", eventTypes: eventTypes ?? [] }),
  }),
);

const UpdateWebhookInput = builder.inputType("UpdateWebhookInput", {
  description: "The fields to change. Omitted fields remain unchanged.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The webhook's id.", validate: idOf("Webhook") }),
    url: t.field({ type: "Url", description: URL_DESCRIPTION }),
    description: t.string({ validate: StorableText, description: "A description. At most 200 characters." }),
    eventTypes: t.field({ type: [EventTypeEnum], description: TYPES_DESCRIPTION }),
    isEnabled: t.boolean({
      description:
        "Whether the webhook is enabled. Disabling it fails pending deliveries, which can be replayed later.",
    }),
  }),
});

const UpdateWebhookSuccess = builder.objectRef<{ webhook: WebhookEndpoint }>("UpdateWebhookSuccess").implement({
  description: "The webhook is updated.",
  fields: (t) => ({ webhook: t.expose("webhook", { type: WebhookNode, description: "The updated webhook." }) }),
});

builder.mutationField("updateWebhook", (t) =>
  t.field({
    type: UpdateWebhookSuccess,
    description: "Updates, enables or disables a webhook. Requires the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, UrlNotAllowedError],
      union: {
        name: "UpdateWebhookResult",
        description: "The updated webhook, or the error that prevented the update.",
      },
    },
    args: { input: t.arg({ type: UpdateWebhookInput, required: true, description: "The changes." }) },
    resolve: async (_root, { input: { id, ...given } }, { deps, viewer }) => {
      const change = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
      );
      return { webhook: await updateWebhook(deps, viewer, id, change as WebhookChange) };
    },
  }),
);

const DeleteWebhookInput = builder.inputType("DeleteWebhookInput", {
  description: "The webhook to delete.",
  fields: (t) => ({ id: t.id({ required: true, description: "The webhook's id.", validate: idOf("Webhook") }) }),
});

const DeleteWebhookSuccess = deletedPayload(
  "DeleteWebhookSuccess",
  "Webhook",
  "The webhook and its deliveries are deleted.",
);

builder.mutationField("deleteWebhook", (t) =>
  t.field({
    type: DeleteWebhookSuccess,
    description: "Deletes a webhook. Deliveries in flight may still arrive. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: {
        name: "DeleteWebhookResult",
        description: "The id of the deleted webhook, or the error that prevented the deletion.",
      },
    },
    args: { input: t.arg({ type: DeleteWebhookInput, required: true, description: "The webhook." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      await deleteWebhook(deps, viewer, input.id);
      return { deletedId: input.id };
    },
  }),
);

const RotateWebhookSecretInput = builder.inputType("RotateWebhookSecretInput", {
  description: "The webhook whose secret is replaced.",
  fields: (t) => ({ id: t.id({ required: true, description: "The webhook's id.", validate: idOf("Webhook") }) }),
});

const RotateWebhookSecretSuccess = builder.objectRef<NewSecret>("RotateWebhookSecretSuccess").implement({
  description: "Deliveries are signed with the new secret, and for 24 hours also with the previous one.",
  fields: (t) => ({
    webhook: t.expose("webhook", { type: WebhookNode, description: "The webhook." }),
    secret: t.exposeString("secret", { description: "The new secret, `whsec_…`. Returned only once." }),
  }),
});

builder.mutationField("rotateWebhookSecret", (t) =>
  t.field({
    type: RotateWebhookSecretSuccess,
    description:
      "Replaces the secret of a webhook. For 24 hours, deliveries are also signed with the previous secret. Older secrets are no longer used. Requires the scope `account:manage`.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RotateWebhookSecretResult", description: "The new secret, or the error that prevented it." },
    },
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: "The webhook." }) },
    resolve: (_root, { input }, { deps, viewer }) => rotateWebhookSecret(deps, viewer, input.id),
  }),
);
