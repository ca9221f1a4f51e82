/** Creates, updates and deletes an account's webhooks, and rotates their secrets. */
import type { WebhookEndpoint } from "../../generated/prisma/client.ts";
import { withAccountLock } from "../accounts/account-lock.ts";
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { EventDeps } from "./deps.ts";
import { failPending } from "./endpoint-health.ts";
import { type EventType, requireTypeScopes } from "./event-types.ts";
import { validateWebhook, type WebhookFields } from "./webhook-fields.ts";
import type { SealedSecrets } from "./webhook-secrets.ts";

const MAX_WEBHOOKS_OF_AN_ACCOUNT = 20;
/** Health of an endpoint that has not failed. */
const HEALTHY = { failingSince: null, failedAttempts: 0, retryAt: null };
const CHANGES_PER_MINUTE = 30;

export interface WebhookChange extends Partial<WebhookFields> {
  readonly isEnabled?: boolean;
}

/**
 * Creates a webhook for the viewer's account. It receives events that occur from now on.
 * @returns the row and the secret that signs its deliveries, which is returned only once
 * @throws {InvalidRequestError | UrlNotAllowedError} naming the invalid field
 * @throws {ForbiddenError} beyond 20 webhooks, or when the credential may not read a requested type
 */
export async function createWebhook(
  deps: EventDeps,
  viewer: Viewer | null,
  input: WebhookFields,
): Promise<{ webhook: WebhookEndpoint; secret: string }> {
  const manager = requireManager(viewer);
  const { accountId } = manager;
  await deps.rateLimiter.consume("webhook", accountId, CHANGES_PER_MINUTE);
  const { events, db } = deps;
  const fields = validateWebhook(input, events.allowLoopback);
  requireTypeScopes(manager, fields.eventTypes);
  const { secret, sealed } = await events.secrets.create({ id: newId("whk"), accountId });
  // Started first, so no event between the two steps is missed.
  await events.collector.follow(accountId);
  const webhook = await withAccountLock(db, accountId, async ({ webhookEndpoint }) => {
    if ((await webhookEndpoint.count({ where: { accountId } })) >= MAX_WEBHOOKS_OF_AN_ACCOUNT) {
      throw new ForbiddenError(
        `An account has at most ${MAX_WEBHOOKS_OF_AN_ACCOUNT} webhooks. No webhook was created. Delete one first.`,
      );
    }
    return await webhookEndpoint.create({ data: { ...sealed, ...fields } });
  });
  return { webhook, secret };
}

/**
 * Updates the given fields of a webhook. Disabling it fails its pending deliveries. Once enabled again, it receives events
 * that occur from then on.
 * @throws {NotFoundError} and the errors of `createWebhook`
 */
export async function updateWebhook(
  deps: EventDeps,
  viewer: Viewer | null,
  id: string,
  change: WebhookChange,
): Promise<WebhookEndpoint> {
  const manager = requireManager(viewer);
  const { accountId } = manager;
  await deps.rateLimiter.consume("webhook", accountId, CHANGES_PER_MINUTE);
  const before = await findWebhook(deps, accountId, id);
  const { isEnabled, ...given } = change;
  const fields = validateWebhook(
    {
      url: given.url ?? before.url,
      description: given.description ?? before.description,
      eventTypes: given.eventTypes ?? (before.eventTypes as EventType[]),
    },
    deps.events.allowLoopback,
  );
  if (given.eventTypes || given.url !== undefined) requireTypeScopes(manager, fields.eventTypes);
  const isOn = before.disabledAt === null;
  const stateChange =
    isEnabled === undefined || isEnabled === isOn
      ? {}
      : isEnabled
        ? { disabledAt: null, disabledReason: null, ...HEALTHY }
        : { disabledAt: new Date(), disabledReason: "person" };
  const { count } = await deps.db.prisma.webhookEndpoint.updateMany({
    where: { id, accountId },
    // A new URL has not failed yet.
    data: { ...fields, ...(fields.url === before.url ? {} : HEALTHY), ...stateChange },
  });
  if (count === 0) throw new NotFoundError("There is no such webhook.");
  if (isOn && isEnabled === false) await failPending(deps.db, id, "The webhook was disabled.");
  return await findWebhook(deps, accountId, id);
}

/** Deletes a webhook and its deliveries. Deliveries in flight may still arrive. @throws {NotFoundError} */
export async function deleteWebhook(deps: EventDeps, viewer: Viewer | null, id: string): Promise<void> {
  const { accountId } = requireManager(viewer);
  const { count } = await deps.db.prisma.webhookEndpoint.deleteMany({ where: { id, accountId } });
  if (count === 0) throw new NotFoundError("There is no such webhook.");
}

/**
 * Replaces a webhook's secret and returns the new one, only once. The previous secret also signs for 24 hours.
 * @throws {NotFoundError}
 * @throws {InvalidRequestError} when another request changed the webhook concurrently
 */
export async function rotateWebhookSecret(
  deps: EventDeps,
  viewer: Viewer | null,
  id: string,
): Promise<{ webhook: WebhookEndpoint; secret: string }> {
  const { accountId } = requireManager(viewer);
  await deps.rateLimiter.consume("webhook", accountId, CHANGES_PER_MINUTE);
  const webhook = await findWebhook(deps, accountId, id);
  const { secret, sealedSecrets } = await deps.events.secrets.rotate(webhook as SealedSecrets);
  const { count } = await deps.db.prisma.webhookEndpoint.updateMany({
    where: { id, accountId, sealedSecrets: webhook.sealedSecrets },
    data: { sealedSecrets },
  });
  if (count === 0) {
    throw new InvalidRequestError(
      "id is a webhook that another request changed concurrently. Its secret was not replaced. Retry the request.",
      "id",
    );
  }
  return { webhook, secret };
}

/** Returns a webhook of the account. @throws {NotFoundError} */
export async function findWebhook(
  { db }: Pick<EventDeps, "db">,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const webhook = await db.prisma.webhookEndpoint.findFirst({ where: { id, accountId } });
  if (!webhook) throw new NotFoundError("There is no such webhook.");
  return webhook;
}
