/** The challenge of a refused operation: which credential, and which scopes, the whole operation requires. */
import { InsufficientScopeError, SCOPES } from "../../src/accounts/viewer.ts";
import { UnauthorizedError } from "../../src/platform/errors.ts";
import { formatChallenge } from "../../src/platform/http/challenge.ts";
import type { Context } from "../context.ts";
import { accessesOfOperation, type Operation } from "./operation-access.ts";
import { usesRouteScopes } from "./require-access.ts";

/** Contexts of operations whose challenge was added. */
const challenged = new WeakSet<Context>();

/**
 * Adds `WWW-Authenticate` to the response, if the transport has response headers. Once for an operation: a list can have
 * thousands of refused fields, and the challenge reads the whole operation.
 */
export function addChallenge(error: unknown, context: Context, operation: Operation): void {
  const { addHeader, deps, path, hasCredential } = context;
  if (!addHeader || challenged.has(context)) return;
  if (error instanceof UnauthorizedError) {
    const challenge = hasCredential ? { error: "invalid_token" as const } : {};
    addHeader("www-authenticate", formatChallenge(deps.site, path, challenge));
  }
  if (error instanceof InsufficientScopeError) {
    const scopes = scopesOfOperation(operation, usesRouteScopes(context));
    challenged.add(context);
    addHeader("www-authenticate", formatChallenge(deps.site, path, { error: "insufficient_scope", scopes }));
  }
}

/** Returns all scopes that the fields of an operation require where scopes are enforced. */
export function scopesOfOperation(operation: Operation, isOnRoute = false): readonly string[] {
  const scopes = new Set<string>(
    accessesOfOperation(operation).flatMap((access) =>
      isOnRoute ? (access.scopesOnRoutes ?? access.scopes) : access.scopes,
    ),
  );
  return SCOPES.filter((scope) => scopes.has(scope));
}
