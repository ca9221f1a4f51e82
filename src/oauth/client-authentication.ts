/** Client authentication at the token, revocation and introspection endpoints (RFC 6749 section 2.3). */
import { timingSafeEqual } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import { isAccepted } from "./clients/client-documents.ts";
import { type Client, findClient } from "./clients/find-client.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

/** The credentials as received; null if absent or empty. */
export interface ClientCredentials {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
}

export interface AuthenticatedClient {
  readonly client: Client;
  /** Whether the client sent its correct secret. False if it sent only its id, as public clients do. */
  readonly isAuthenticated: boolean;
}

/**
 * Returns the client with the given id. Verifies the secret if one was sent.
 * @throws {OAuthProtocolError} `invalid_client` if the client is unknown or not approved, or the secret is wrong. The
 *   error does not reveal which. Also if its metadata document is not accepted here.
 */
export async function identifyClient(
  deps: Pick<OAuthDeps, "db" | "clientDocuments">,
  given: ClientCredentials,
): Promise<AuthenticatedClient> {
  const client = given.clientId === null ? null : await findClient(deps.db, given.clientId);
  if (client?.status !== "approved") throw invalidClientError();
  if (!isAccepted(deps, client)) {
    const text = "This service does not accept applications with a client ID metadata document at present.";
    throw new OAuthProtocolError("invalid_client", text);
  }
  if (given.clientSecret === null) return { client, isAuthenticated: false };
  const hash = hashToken(given.clientSecret);
  // All are compared, so the time does not depend on which one matches.
  if (!client.secretHashes.map((valid) => timingSafeEqual(hash, valid)).includes(true)) throw invalidClientError();
  return { client, isAuthenticated: true };
}

/** Returns true if clients of this kind must authenticate with their secret. */
export function requiresSecret({ kind }: Pick<Client, "kind">): boolean {
  return kind === "confidential" || kind === "automation";
}

export function invalidClientError(): OAuthProtocolError {
  return new OAuthProtocolError("invalid_client", "Client authentication failed, or this client may not be used.");
}
