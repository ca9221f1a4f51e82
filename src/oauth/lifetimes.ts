/** Lifetimes of requests, codes and tokens (spec section 5 and decisions, "OAuth"). */
import type { ClientKind } from "./clients/find-client.ts";

const DAY_SECONDS = 86_400;

/** The defaults; an application can register a shorter lifetime. */
export const ACCESS_TOKEN_SECONDS: Readonly<Record<ClientKind, number>> = {
  public: 30 * DAY_SECONDS,
  native: 30 * DAY_SECONDS,
  confidential: 60 * DAY_SECONDS,
  command_line: 90 * DAY_SECONDS,
  automation: 365 * DAY_SECONDS,
};
export const REFRESH_TOKEN_SECONDS = 90 * DAY_SECONDS;
export const CODE_SECONDS = 60;
/** The time from a pushed request to the browser's. */
export const PUSHED_REQUEST_SECONDS = 90;
/** The time for the user to sign in and decide. */
export const REQUEST_SECONDS = 15 * 60;
/** The time between two polls of a device (RFC 8628 section 3.2). */
export const DEVICE_POLL_SECONDS = 5;
/** The longest time for which a used refresh token returns the same response again, while its successors are unused. */
export const REFRESH_GRACE_SECONDS = 3_600;
/** How long a code is retained after it expires. A second exchange within this time revokes the code's tokens. */
export const USED_CODE_RETENTION_SECONDS = DAY_SECONDS;
/** How long an application that registered itself is retained without a user. */
export const UNUSED_CLIENT_RETENTION_SECONDS = 30 * DAY_SECONDS;
