import { ForbiddenError, ServiceError } from "../platform/errors.ts";
import { type AccountViewer, requireAccount, type Viewer } from "./viewer.ts";

/** How long a proof of identity permits operations that could cost the user their account. */
const RECENT_MS = 10 * 60_000;

/** The user is signed in, but must authenticate again. */
export class ReauthenticationRequiredError extends ServiceError {
  readonly code = "reauthentication_required";
  /** @param message default: the last sign-in is too old */
  constructor(message?: string) {
    super(message ?? "Your last sign-in was more than 10 minutes ago. Nothing was changed. Sign in again, then retry.");
  }
}

/**
 * Returns the viewer if it is a signed-in session.
 * @throws {UnauthorizedError} without an account credential
 * @throws {ForbiddenError} for a credential other than a session
 */
export function requireSession(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  if (account.credentialKind !== "session") {
    throw new ForbiddenError("This operation requires a signed-in session; tokens cannot perform it.");
  }
  return account;
}

/**
 * Returns the viewer if it is a session with a recent proof of identity.
 * @throws {UnauthorizedError | ForbiddenError} like `requireSession`
 * @throws {ReauthenticationRequiredError} if the last proof is more than 10 minutes old
 */
export function requireRecentProof(viewer: Viewer | null): AccountViewer {
  const session = requireSession(viewer);
  if ((session.authenticatedAtMs ?? 0) < Date.now() - RECENT_MS) throw new ReauthenticationRequiredError();
  return session;
}
