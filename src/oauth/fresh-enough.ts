import type { AccountViewer } from "../accounts/viewer.ts";

/** Whether the person proved who they are after `authenticateAfter`, where a request asked for that. */
export function isFreshEnough(session: AccountViewer, authenticateAfter: Date | null): boolean {
  return authenticateAfter === null || (session.authenticatedAtMs ?? 0) >= authenticateAfter.getTime();
}
