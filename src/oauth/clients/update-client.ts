/** Editing an application (spec section 2.2). */
import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import { ForbiddenError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { recordAddressChange } from "./address-change.ts";
import { type ClientSteps, checkSteps, columnsOf, type Step, stepsOf } from "./fields.ts";
import { type NotifyDeps, sendReviewLettersNow } from "./notify.ts";
import { CHANGES_PER_MINUTE } from "./register-client.ts";
import { asStatus, transitionByEditing } from "./status.ts";
import { later, PATIENTLY, transitionClient } from "./transition-client.ts";

/** What is to change; what is absent stays. */
export interface ClientChanges {
  readonly steps: { readonly [Name in Step]?: Partial<ClientSteps[Name]> | undefined };
  readonly requireSecretOnRefresh?: boolean | undefined;
  readonly strictScopes?: boolean | undefined;
}

/** The responsible party of an approved application does not change: it is whom the approval was given to. */
export class LockedFieldError extends ServiceError {
  readonly code = "locked_field";
  readonly field: string;
  constructor(field: string) {
    super(`${field} is locked since the application was approved. Nothing was changed.`);
    this.field = field;
  }
}

/**
 * Changes an application of the viewer's account.
 *
 * A rejected one goes back to review as soon as one of its three steps is saved. An approved one stays approved: app
 * information may change at any time, and addresses must be able to, one per environment, without a break in service;
 * the table of statuses has no way back from approved. In place of a second review, the change of addresses stands in
 * the application's history, its contacts are written to, and people see at consent where they are sent back to.
 * @throws {LockedFieldError} for the responsible party of an approved application
 * @throws {ForbiddenError} for a revoked one
 * @throws {InvalidRequestError} naming the field at fault
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
    if (!before) throw new NotFoundError("There is no such application.");
    const steps = checkChanges(before, changes);
    // Whoever was faster changed what this edit was checked against: then it is checked again.
    if (!(await deps.db.prisma.$transaction((tx) => apply(tx, before, steps, changes), PATIENTLY))) continue;
    await sendReviewLettersNow(deps);
    return await deps.db.prisma.oAuthClient.findUniqueOrThrow({ where });
  }
}

function checkChanges(before: OAuthClient, changes: ClientChanges): ClientSteps {
  if (before.status === "revoked") {
    throw new ForbiddenError("The application is revoked, which is final. Nothing was changed.");
  }
  const { responsible, app, oauth } = stepsOf(before);
  const steps = checkSteps({
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

/** Answers whether the application was still as it was in `before`. */
async function apply(
  tx: Prisma.TransactionClient,
  before: OAuthClient,
  steps: ClientSteps,
  { requireSecretOnRefresh, strictScopes, steps: given }: ClientChanges,
): Promise<boolean> {
  const { id, accountId, updatedAt } = before;
  const data = {
    ...columnsOf(steps),
    ...(requireSecretOnRefresh === undefined ? {} : { requireSecretOnRefresh }),
    ...(strictScopes === undefined ? {} : { strictScopes }),
  };
  const isSubmitted = given.responsible !== undefined || given.app !== undefined || given.oauth !== undefined;
  const transition = isSubmitted ? transitionByEditing(asStatus(before.status)) : null;
  if (transition) {
    return await transitionClient(tx, before, { transition, reason: null, reviewerId: null, changes: data });
  }
  const { count } = await tx.oAuthClient.updateMany({
    where: { id, accountId, status: before.status, updatedAt },
    data: { ...data, updatedAt: later(updatedAt) },
  });
  if (count === 0) return false;
  await recordAddressChange(tx, before, steps.oauth);
  return true;
}
