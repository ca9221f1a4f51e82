/** Proofs of possession of a key (DPoP, RFC 9449 section 4). */
import { createHash } from "node:crypto";
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from "jose";
import type { Site } from "../http/site.ts";

/** Signature algorithms of proofs. All are asymmetric. */
export const DPOP_ALGORITHMS = ["ES256", "Ed25519", "EdDSA", "PS256", "RS256"] as const;

/** Accepted difference between `iat` and this clock, in both directions. */
const MAX_AGE_SECONDS = 300;
/** Exceeds any proof with an RSA key of 4,096 bits. */
const MAX_PROOF_LENGTH = 4_096;
const MAX_ID_LENGTH = 256;

/** A proof is missing, malformed, or not for this request. The message is ASCII text without quotes. */
export class ProofError extends Error {}

export interface Proof {
  /** SHA-256 thumbprint of the key (RFC 7638) in base64url. */
  readonly thumbprint: string;
  /** SHA-256 of key and `jti`. A proof with the same value is a replay. */
  readonly id: Uint8Array<ArrayBuffer>;
  /** The proof is not accepted after this time. */
  readonly expiresAt: Date;
}

/** The request that a proof must be for. */
export interface ProvenRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly site: Site;
  /** The access token sent with the proof; null at the authorization server's own endpoints. */
  readonly accessToken: string | null;
}

/**
 * Verifies the value of a `DPoP` header. The caller must also check the key, and that the proof is no replay.
 * @throws {ProofError}
 */
export async function verifyProof(header: string, request: ProvenRequest): Promise<Proof> {
  const { payload, jwk } = await readProof(header);
  const { jti, htm, htu, iat, ath } = payload;
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_ID_LENGTH) {
    throw new ProofError("The claim jti of the DPoP proof is missing or too long.");
  }
  if (htm !== request.method) throw new ProofError("The claim htm of the DPoP proof is not the request's method.");
  if (!isUrlOf(htu, request)) throw new ProofError("The claim htu of the DPoP proof is not the request's URL.");
  if (typeof iat !== "number" || !(Math.abs(Date.now() / 1_000 - iat) <= MAX_AGE_SECONDS)) {
    throw new ProofError(`The claim iat of the DPoP proof is more than ${MAX_AGE_SECONDS} seconds from now.`);
  }
  if (request.accessToken !== null && ath !== digest(request.accessToken).toString("base64url")) {
    throw new ProofError("The claim ath of the DPoP proof is not the digest of the access token.");
  }
  const thumbprint = await calculateJwkThumbprint(jwk, "sha256");
  return {
    thumbprint,
    id: new Uint8Array(digest(`${thumbprint} ${jti}`)),
    expiresAt: new Date((iat + MAX_AGE_SECONDS) * 1_000),
  };
}

async function readProof(header: string) {
  if (header.length > MAX_PROOF_LENGTH) throw new ProofError("The DPoP proof is too long.");
  try {
    const { payload, protectedHeader } = await jwtVerify(header, EmbeddedJWK, {
      typ: "dpop+jwt",
      algorithms: [...DPOP_ALGORITHMS],
    });
    return { payload, jwk: protectedHeader.jwk as JWK };
  } catch {
    throw new ProofError(
      "The DPoP header must be one JWT of type dpop+jwt, signed with a listed algorithm and its public jwk.",
    );
  }
}

/** Compares without query and fragment, after normalization (RFC 9449 section 4.3). */
function isUrlOf(htu: unknown, { path, site }: ProvenRequest): boolean {
  if (typeof htu !== "string" || !URL.canParse(htu)) return false;
  const normalize = (url: string) => {
    const { origin, pathname } = new URL(url);
    return `${origin}${pathname}`;
  };
  return [site.baseUrl(), site.browserUrl()].some((base) => normalize(`${base}${path}`) === normalize(htu));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Returns true for a thumbprint in base64url: 43 characters. */
export function isThumbprint(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
