import type { AccountViewer, Viewer } from "../accounts/viewer.ts";

/** The person at the browser. Other credentials are programs: nobody consents with an API token. */
export function sessionOf(viewer: Viewer | null): AccountViewer | null {
  return viewer?.kind === "account" && viewer.credentialKind === "session" ? viewer : null;
}

/** Whether the person proved who they are after `authenticateAfter`, where a request asked for that. */
export function isFreshEnough(session: AccountViewer, authenticateAfter: Date | null): boolean {
  return authenticateAfter === null || (session.authenticatedAtMs ?? 0) >= authenticateAfter.getTime();
}
