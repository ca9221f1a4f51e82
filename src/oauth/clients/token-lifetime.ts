import { InvalidRequestError } from "../../platform/errors.ts";
import { ACCESS_TOKEN_SECONDS } from "../lifetimes.ts";
import type { Client, ClientKind } from "./find-client.ts";

/** The shortest lifetime of access tokens that an application can register. */
const MIN_SECONDS = 60;

/** Returns the lifetime of a client's new access tokens, in seconds. */
export function accessTokenLifetime({ kind, accessTokenSeconds }: Pick<Client, "kind" | "accessTokenSeconds">): number {
  return accessTokenSeconds ?? ACCESS_TOKEN_SECONDS[kind];
}

/**
 * Returns the registered lifetime of access tokens; null for the default of the kind.
 * @throws {InvalidRequestError} if it is below one minute or above the default
 */
export function checkLifetime(kind: ClientKind, seconds: number | null): number | null {
  const max = ACCESS_TOKEN_SECONDS[kind];
  if (seconds !== null && (seconds < MIN_SECONDS || seconds > max)) {
    const field = "accessTokenLifetimeSeconds";
    throw new InvalidRequestError(
      `${field} must be from ${MIN_SECONDS} to ${max} for this kind of application.`,
      field,
    );
  }
  return seconds === max ? null : seconds;
}
