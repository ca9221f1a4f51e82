/** Reviewers: administrators and the operator, who decide about other accounts' applications and merchants. */
import { ForbiddenError } from "../platform/errors.ts";
import { type AccountViewer, type OperatorViewer, requireAccount, type Viewer } from "./viewer.ts";

/** Returns true if the viewer is a reviewer: an administrator's session, or the operator. */
export function isReviewer(viewer: Viewer | null): viewer is AccountViewer | OperatorViewer {
  return viewer?.kind === "operator" || (viewer?.kind === "account" && viewer.isAdministrator);
}

/**
 * Returns the id of the administrator's account; null for the operator.
 * @throws {UnauthorizedError} without a credential
 * @throws {ForbiddenError} if the viewer is not a reviewer
 */
export function requireReviewer(viewer: Viewer | null): { readonly reviewerId: string | null } {
  if (viewer?.kind === "operator") return { reviewerId: null };
  const account = requireAccount(viewer);
  if (!account.isAdministrator) throw new ForbiddenError("Only administrators can do this.");
  return { reviewerId: account.accountId };
}
