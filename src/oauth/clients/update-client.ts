/** Changes to an application by its owner (spec section 2.2). */
import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import { ForbiddenError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { recordConfigurationChange } from "./configuration-change.ts";
import { type ClientSteps, checkSteps, type Step, toColumns, toSteps } from "./fields.ts";
import type { ClientKind } from "./find-client.ts";
import { type NotifyDeps, sendReviewEmailsNow } from "./notify.ts";
import { CHANGES_PER_MINUTE } from "./register-client.ts";
import { findEditTransition, parseStatus } from "./status.ts";
import { checkLifetime } from "./token-lifetime.ts";
import { LOCK_TIMEOUTS, nextTimestamp, transitionClient } from "./transition-client.ts";

/** The changes. Absent fields remain unchanged. */
export interface ClientChanges {
  readonly steps: { readonly [Name in Step]?: Partial<ClientSteps[Name]> | undefined };
  readonly requireSecretOnRefresh?: boolean | undefined;
  readonly requirePushedRequests?: boolean | undefined;
  readonly strictScopes?: boolean | undefined;
  /** Lifetime of access tokens that are issued from now on, in seconds. */
  readonly accessTokenSeconds?: number | undefined;
  readonly deviceGrant?: boolean | undefined;
}

/** The responsible party of an approved application cannot be changed, because the approval was given to that party. */
export class LockedFieldError extends ServiceError {
  readonly code = "locked_field";
  readonly field: string;
  constructor(field: string) {
    super(`${field} is locked because the application is approved. Nothing was changed.`);
    this.field = field;
  }
}

/**
 * Changes an application of the viewer's account.
 *
 * A rejected application returns to review when one of its three steps is saved. An approved one remains approved,
 * because a new environment needs a new redirect URI without an interruption of service. Instead of a second review, a
 * change of addresses or of the device grant is recorded in the history and sent to the contacts. The consent page shows users the redirect
 * target.
 * @throws {LockedFieldError} for the responsible party of an approved application
 * @throws {ForbiddenError} for a revoked application
 * @throws {InvalidRequestError} for the invalid field
 */
export async function updateClient(
  deps: NotifyDeps & { readonly rateLimiter: RateLimiter },
  viewer: Viewer | null,
  clientId: string,
  changes: ClientChanges,
): Promise<OAuthClient> {
  const { accountId } = requireManager(viewer);
  await deps.rateLimiter.consume("oauth-client", accountId, CHANGES_PER_MINUTE);
  const where = { id: clientId, accountId };
  for (;;) {
    const before = await deps.db.prisma.oAuthClient.findUnique({ where });
    if (!before) throw new NotFoundError("Application not found.");
    const steps = checkChanges(before, changes);
    // False if another transaction changed the application: read it and check the edit again.
    if (!(await deps.db.prisma.$transaction((tx) => apply(tx, before, steps, changes), LOCK_TIMEOUTS))) continue;
    await sendReviewEmailsNow(deps);
    return await deps.db.prisma.oAuthClient.findUniqueOrThrow({ where });
  }
}

function checkChanges(before: OAuthClient, changes: ClientChanges): ClientSteps {
  if (before.status === "revoked") {
    throw new ForbiddenError("Nothing was changed: the application is revoked, which is final.");
  }
  const { responsible, app, oauth } = toSteps(before);
  const steps = checkSteps(before.kind, {
    responsible: { ...responsible, ...changes.steps.responsible },
    app: { ...app, ...changes.steps.app },
    oauth: { ...oauth, ...changes.steps.oauth },
  });
  if (before.status === "approved") {
    const names = Object.keys(responsible) as (keyof typeof responsible)[];
    const locked = names.find((name) => steps.responsible[name] !== responsible[name]);
    if (locked) throw new LockedFieldError(`responsible.${locked}`);
  }
  return steps;
}

/** Applies the changes. Returns false, without a change, if the application no longer equals `before`. */
async function apply(
  tx: Prisma.TransactionClient,
  before: OAuthClient,
  steps: ClientSteps,
  {
    requireSecretOnRefresh,
    requirePushedRequests,
    strictScopes,
    accessTokenSeconds,
    deviceGrant,
    steps: changedSteps,
  }: ClientChanges,
): Promise<boolean> {
  const { id, accountId, updatedAt } = before;
  const data = {
    ...toColumns(steps),
    ...(requireSecretOnRefresh === undefined ? {} : { requireSecretOnRefresh }),
    ...(requirePushedRequests === undefined ? {} : { requirePushedRequests }),
    ...(strictScopes === undefined ? {} : { strictScopes }),
    ...(accessTokenSeconds === undefined
      ? {}
      : { accessTokenSeconds: checkLifetime(before.kind as ClientKind, accessTokenSeconds) }),
    ...(deviceGrant === undefined ? {} : { deviceGrant }),
  };
  const { responsible, app, oauth } = changedSteps;
  const isSubmitted = responsible !== undefined || app !== undefined || oauth !== undefined;
  const transition = isSubmitted ? findEditTransition(parseStatus(before.status)) : null;
  if (transition) {
    return await transitionClient(tx, before, { transition, reason: null, reviewerId: null, changes: data });
  }
  const { count } = await tx.oAuthClient.updateMany({
    where: { id, accountId, status: before.status, updatedAt },
    data: { ...data, updatedAt: nextTimestamp(updatedAt) },
  });
  if (count === 0) return false;
  await recordConfigurationChange(tx, before, { ...steps.oauth, deviceGrant: deviceGrant ?? before.deviceGrant });
  return true;
}
