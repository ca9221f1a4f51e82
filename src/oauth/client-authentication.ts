/** Which application calls the token endpoint and its neighbours (RFC 6749 section 2.3). */
import { timingSafeEqual } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import type { Database } from "../platform/database/connection.ts";
import { type Client, findClient } from "./clients/find-client.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

/** As sent; null where absent or empty. */
export interface ClientCredentials {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
}

export interface AuthenticatedClient {
  readonly client: Client;
  /** It proved who it is; else it only said so, which is all that a public client can. */
  readonly isProven: boolean;
}

/**
 * The client that says so, with its secret checked if it sent one.
 * @throws {OAuthProtocolError} invalid_client when it is not known, not approved, or its secret is wrong: never said which.
 */
export async function identifyClient(db: Database, given: ClientCredentials): Promise<AuthenticatedClient> {
  const client = given.clientId === null ? null : await findClient(db, given.clientId);
  if (client?.status !== "approved") throw refused();
  if (given.clientSecret === null) return { client, isProven: false };
  const { secretHash } = client;
  if (!secretHash || !timingSafeEqual(hashToken(given.clientSecret), secretHash)) throw refused();
  return { client, isProven: true };
}

/** Whether a client of that kind has to prove who it is where a secret is asked for. */
export function mustProveSecret({ kind }: Pick<Client, "kind">): boolean {
  return kind === "confidential" || kind === "automation";
}

export function refused(): OAuthProtocolError {
  return new OAuthProtocolError("invalid_client", "Client authentication failed, or this client may not be used.");
}
