/** The account's own endpoints: making, changing and removing them, and giving them new secrets. */
import type { WebhookEndpoint } from "../../generated/prisma/client.ts";
import { withAccountLock } from "../accounts/account-lock.ts";
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { EventDeps } from "./deps.ts";
import { failPending } from "./endpoint-health.ts";
import { type EventType, requireTypes } from "./event-types.ts";
import { checkWebhook, type WebhookFields } from "./webhook-fields.ts";
import type { SealedSecrets } from "./webhook-secrets.ts";

const MAX_WEBHOOKS_OF_AN_ACCOUNT = 20;
const CHANGES_PER_MINUTE = 30;

export interface WebhookChange extends Partial<WebhookFields> {
  readonly isEnabled?: boolean;
}

/**
 * Adds an endpoint to the viewer's account; it is told of what happens from now on.
 * @returns the row, and the secret its deliveries are signed with, which is shown this once.
 * @throws {InvalidRequestError | UrlNotAllowedError} naming the field at fault
 * @throws {ForbiddenError} past 20 endpoints, or when types are asked for that the credential may not see
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
  const fields = checkWebhook(input, events.allowLoopback);
  requireTypes(manager, fields.eventTypes);
  const { secret, sealed } = await events.secrets.create(newId("whk"));
  // First, or what happens in between would be nobody's.
  await events.collector.follow(accountId);
  const webhook = await withAccountLock(db, accountId, async ({ webhookEndpoint }) => {
    if ((await webhookEndpoint.count({ where: { accountId } })) >= MAX_WEBHOOKS_OF_AN_ACCOUNT) {
      throw new ForbiddenError(`An account has at most ${MAX_WEBHOOKS_OF_AN_ACCOUNT} webhooks. Remove one first.`);
    }
    return await webhookEndpoint.create({ data: { ...sealed, accountId, ...fields } });
  });
  return { webhook, secret };
}

/**
 * Changes what is given and leaves the rest. Turned off, it is told of nothing, and what still waited has failed; turned on
 * again, it is told of what happens from then on.
 * @throws {NotFoundError} and as `createWebhook`
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
  const fields = checkWebhook(
    {
      url: given.url ?? before.url,
      description: given.description ?? before.description,
      eventTypes: given.eventTypes ?? (before.eventTypes as EventType[]),
    },
    deps.events.allowLoopback,
  );
  if (given.eventTypes || given.url !== undefined) requireTypes(manager, fields.eventTypes);
  const isOn = before.disabledAt === null;
  const turned =
    isEnabled === undefined || isEnabled === isOn
      ? {}
      : isEnabled
        ? { disabledAt: null, disabledReason: null, failingSince: null }
        : { disabledAt: new Date(), disabledReason: "person" };
  const { count } = await deps.db.prisma.webhookEndpoint.updateMany({
    where: { id, accountId },
    // Another address has not failed yet.
    data: { ...fields, ...(fields.url === before.url ? {} : { failingSince: null }), ...turned },
  });
  if (count === 0) throw new NotFoundError("There is no such webhook.");
  if (isOn && isEnabled === false) await failPending(deps.db, id, "The webhook was turned off.");
  return await findWebhook(deps, accountId, id);
}

/** Removes an endpoint with its deliveries; what is under way may still arrive. @throws {NotFoundError} */
export async function deleteWebhook(deps: EventDeps, viewer: Viewer | null, id: string): Promise<void> {
  const { accountId } = requireManager(viewer);
  const { count } = await deps.db.prisma.webhookEndpoint.deleteMany({ where: { id, accountId } });
  if (count === 0) throw new NotFoundError("There is no such webhook.");
}

/**
 * Gives an endpoint a new secret, shown this once. For 24 hours the one before it signs as well.
 * @throws {NotFoundError}; {@link InvalidRequestError} when somebody else did so at the same moment
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
  if (count === 0) throw new InvalidRequestError("id is a webhook that was changed meanwhile. Try again.", "id");
  return { webhook, secret };
}

/** @throws {NotFoundError} unless the account has it */
export async function findWebhook(
  { db }: Pick<EventDeps, "db">,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const webhook = await db.prisma.webhookEndpoint.findFirst({ where: { id, accountId } });
  if (!webhook) throw new NotFoundError("There is no such webhook.");
  return webhook;
}
