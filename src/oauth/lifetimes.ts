/** How long things live (spec section 5 and decisions, "OAuth"). */
import type { ClientKind } from "./clients/find-client.ts";

const DAY_SECONDS = 86_400;

export const ACCESS_TOKEN_SECONDS: Readonly<Record<ClientKind, number>> = {
  confidential: 30 * DAY_SECONDS,
  public: 60 * DAY_SECONDS,
  command_line: 90 * DAY_SECONDS,
  automation: 365 * DAY_SECONDS,
};
export const REFRESH_TOKEN_SECONDS = 90 * DAY_SECONDS;
export const CODE_SECONDS = 60;
/** How long a person has to sign in and to decide. */
export const REQUEST_SECONDS = 15 * 60;
/** For so long a refresh token that comes again is answered as the first time. */
export const REFRESH_GRACE_SECONDS = 10;
/** A code that was used is remembered for so long after it ended: coming again, it revokes what it gave. */
export const USED_CODE_KEPT_SECONDS = DAY_SECONDS;
