import { type FrozenBy, freezeError } from "../accounts/freeze/freeze-state.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

/** Returns the error for a code or refresh token of a frozen account. Not `invalid_grant`, for which clients discard the token. */
export function frozenGrantError(frozenBy: FrozenBy): OAuthProtocolError {
  return new OAuthProtocolError("temporarily_unavailable", freezeError(frozenBy).message);
}
