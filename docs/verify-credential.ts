/** Verifies a presentation of an agent's credential with nothing but what its issuer publishes. Yours to copy. */
import { createHash } from "node:crypto";
import { digest } from "@sd-jwt/crypto-nodejs";
import { getListFromStatusListJWT } from "@sd-jwt/jwt-status-list";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import { createRemoteJWKSet, decodeJwt, importJWK, type JWK, jwtVerify } from "jose";

export interface Expected {
  /** The services whose word counts: their addresses, exactly. */
  readonly issuers: readonly string[];
  readonly kind: "trust" | "delegation";
  /** How you named yourself to the agent, and the nonce you gave it: used once, and not older than a few minutes. */
  readonly audience: string;
  readonly nonce: string;
}

interface Credential {
  vct: string;
  cnf: { jwk: JWK };
  status: { status_list: { idx: number; uri: string } };
}

const keysOf = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/** The claims that are shown. @throws when anything at all is not as it should be */
export async function verifyPresentation(presentation: string, expected: Expected): Promise<Record<string, unknown>> {
  const endOfShown = presentation.lastIndexOf("~") + 1;
  const shown = presentation.slice(0, endOfShown);
  const proof = presentation.slice(endOfShown);
  const credential = shown.slice(0, shown.indexOf("~"));

  // 1. Who says so: only somebody you trust, with a key of theirs, as a credential of the kind you asked for.
  const { iss } = decodeJwt(credential);
  if (iss === undefined || !expected.issuers.includes(iss)) throw new Error("The issuer is not trusted.");
  const keys = await issuerKeys(iss);
  const byIssuer = { issuer: iss, algorithms: ["ES256"], clockTolerance: "30 seconds" };
  const { payload } = await jwtVerify<Credential>(credential, keys, {
    ...byIssuer,
    typ: "dc+sd-jwt",
    requiredClaims: ["iat", "exp", "vct", "cnf", "status"],
  });
  if (payload.vct !== `${iss}/agents/credential-types/${expected.kind}`) throw new Error("It is of another kind.");

  // 2. Who shows it: the agent itself, to you, now, and exactly these claims.
  const { payload: binding } = await jwtVerify(proof, await importJWK(payload.cnf.jwk, "ES256"), {
    algorithms: ["ES256"],
    typ: "kb+jwt",
    audience: expected.audience,
    maxTokenAge: "5 minutes",
    clockTolerance: "30 seconds",
    requiredClaims: ["iat", "aud", "nonce", "sd_hash"],
  });
  if (binding["nonce"] !== expected.nonce) throw new Error("It was made for another request.");
  const hash = createHash("sha256").update(shown).digest("base64url");
  if (binding["sd_hash"] !== hash) throw new Error("The proof is of something else.");

  // 3. Whether it still counts.
  const { idx, uri } = payload.status.status_list;
  const statusList = await get(uri, "application/statuslist+jwt");
  const token = await statusList.text();
  await jwtVerify(token, keys, {
    ...byIssuer,
    subject: uri,
    typ: "statuslist+jwt",
    requiredClaims: ["iat", "exp"],
  });
  if (getListFromStatusListJWT(token).getStatus(idx) !== 0) throw new Error("It is revoked.");

  // 4. What it says. Each disclosure is put where the issuer signed its digest; others count for nothing.
  return (await new SDJwtVcInstance({ hasher: digest }).getClaims(shown)) as Record<string, unknown>;
}

async function issuerKeys(issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> {
  let keys = keysOf.get(issuer);
  if (!keys) {
    const response = await get(new URL("/.well-known/jwt-vc-issuer", issuer).href, "application/json");
    const metadata = (await response.json()) as { issuer: string; jwks_uri: string };
    if (metadata.issuer !== issuer) throw new Error("The metadata is somebody else's.");
    // Fetches again when it meets a key it does not know.
    keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
    keysOf.set(issuer, keys);
  }
  return keys;
}

async function get(url: string, accept: string): Promise<Response> {
  const response = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  return response;
}
