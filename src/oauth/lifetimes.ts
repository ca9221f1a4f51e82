/** Lifetimes of requests, codes and tokens (spec section 5 and decisions, "OAuth"). */
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
/** The time for the user to sign in and decide. */
export const REQUEST_SECONDS = 15 * 60;
/** A used refresh token returns the same response again within this time. */
export const REFRESH_GRACE_SECONDS = 10;
/** How long a code is retained after it expires. A second exchange within this time revokes the code's tokens. */
export const USED_CODE_RETENTION_SECONDS = DAY_SECONDS;
