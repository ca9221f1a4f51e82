/** DPoP (RFC 9449) at the token endpoint and at protected resources. */
import { usesDpopScheme } from "../accounts/authenticate.ts";
import { InvalidTokenError, type TokenRequest } from "../accounts/token-kind.ts";
import { type Proof, ProofError, verifyProof } from "../platform/crypto/dpop-proof.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

const CLAIM: Statement = {
  name: "claim-dpop-proof",
  text: "INSERT INTO dpop_proofs (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id",
};

const REPLAYED = "The DPoP proof was used before. Create one for each request.";

/** Returns false if the proof was used before, on any node. */
async function claim(db: Database, { id, expiresAt }: Proof): Promise<boolean> {
  return (await db.query(CLAIM, [id, expiresAt])).length > 0;
}

/**
 * Verifies the proof of a request to an endpoint of the authorization server; null if it has none. The caller must claim it.
 * @throws {OAuthProtocolError} `invalid_dpop_proof`
 */
export async function readEndpointProof(
  { site }: Pick<OAuthDeps, "site">,
  path: string,
  header: string | null,
): Promise<Proof | null> {
  if (header === null) return null;
  try {
    return await verifyProof(header, { method: "POST", path, site, accessToken: null });
  } catch (error) {
    throw error instanceof ProofError ? new OAuthProtocolError("invalid_dpop_proof", error.message) : error;
  }
}

/** @throws {OAuthProtocolError} `invalid_dpop_proof` if the proof was used before */
export async function claimEndpointProof(db: Database, proof: Proof | null): Promise<void> {
  if (proof === null || (await claim(db, proof))) return;
  throw new OAuthProtocolError("invalid_dpop_proof", REPLAYED);
}

/** Verified requests. The operations of a batch and the events of a stream repeat the check of one proof. */
const verified = new WeakMap<TokenRequest["headers"], Promise<string>>();

/**
 * Checks that the sender of an access token has its key. A token without a key must be sent as Bearer, one with a key as DPoP.
 * @throws {InvalidTokenError}
 */
export async function requireKey(
  db: Database,
  token: string,
  thumbprint: string | null,
  request: TokenRequest | null,
): Promise<void> {
  const isDpop = request !== null && usesDpopScheme(request);
  if (thumbprint === null && !isDpop) return;
  if (thumbprint === null) throw refuse("invalid_token", "This token is not bound to a key. Send it as Bearer.");
  if (request?.method == null) {
    throw refuse("invalid_token", "This token is bound to a key, which a WebSocket cannot prove. Use an event stream.");
  }
  if (!isDpop) throw refuse("invalid_token", "This token is bound to a key. Send it as DPoP, with a proof.");
  let proven = verified.get(request.headers);
  if (!proven) {
    proven = proveKey(db, token, thumbprint, request, request.method);
    verified.set(request.headers, proven);
  }
  if ((await proven) !== thumbprint) throw refuse("invalid_token", "This token is bound to another key.");
}

/** Returns the thumbprint of the key that the request proves. Claims the proof if that is the token's. */
async function proveKey(
  db: Database,
  accessToken: string,
  thumbprint: string,
  { headers, path, site }: TokenRequest,
  method: string,
): Promise<string> {
  const header = headers["dpop"];
  if (typeof header !== "string") throw refuse("invalid_dpop_proof", "The DPoP header is missing.");
  try {
    const proof = await verifyProof(header, { method, path, site, accessToken });
    // Only holders of the token can add rows.
    if (proof.thumbprint === thumbprint && !(await claim(db, proof))) throw new ProofError(REPLAYED);
    return proof.thumbprint;
  } catch (error) {
    throw error instanceof ProofError ? refuse("invalid_dpop_proof", error.message) : error;
  }
}

function refuse(error: "invalid_token" | "invalid_dpop_proof", message: string): InvalidTokenError {
  return new InvalidTokenError(message, { scheme: "DPoP", error });
}
