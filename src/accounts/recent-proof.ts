import { ForbiddenError, ServiceError } from "../platform/errors.ts";
import { type AccountViewer, requireAccount, type Viewer } from "./viewer.ts";

/** How long a proof of identity is good for what could cost the person their account. */
const RECENT_MS = 10 * 60_000;

/** The person is signed in, but must prove once more who they are. */
export class ReauthenticationRequiredError extends ServiceError {
  readonly code = "reauthentication_required";
  constructor() {
    super("Sign in once more to do this: the last time was more than 10 minutes ago.");
  }
}

/** @throws {UnauthorizedError | ForbiddenError} unless a person's browser is calling */
export function requireSession(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  if (account.credentialKind !== "session") throw new ForbiddenError("Only a person who is signed in may do this.");
  return account;
}

/** @throws {ReauthenticationRequiredError} besides, when the person's last proof is more than 10 minutes old */
export function requireRecentProof(viewer: Viewer | null): AccountViewer {
  const session = requireSession(viewer);
  if ((session.authenticatedAtMs ?? 0) < Date.now() - RECENT_MS) throw new ReauthenticationRequiredError();
  return session;
}
