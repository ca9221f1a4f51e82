/**
 * Verifies a presentation of an agent's credential with the issuer's published data. Copy `verifyPresentation` into your program.
 *
 * Run: node examples/verify-credential.ts
 *
 * The program at the end requests a presentation as the agent and verifies it as a merchant would. SATCHEL_URL and SATCHEL_TOKEN name the
 * service and an API token; without them it uses the sandbox that `npm start` runs in this folder.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { digest } from "@sd-jwt/crypto-nodejs";
import { getListFromStatusListJWT } from "@sd-jwt/jwt-status-list";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import { createRemoteJWKSet, decodeJwt, importJWK, type JWK, jwtVerify } from "jose";

export interface Expected {
  /** Trusted issuers: the services' exact URLs. */
  readonly issuers: readonly string[];
  readonly kind: "trust" | "delegation";
  /** The audience and nonce you gave the agent. Use a nonce once, for a few minutes. */
  readonly audience: string;
  readonly nonce: string;
}

interface Credential {
  vct: string;
  cnf: { jwk: JWK };
  status: { status_list: { idx: number; uri: string } };
}

const keysOf = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/** Returns the disclosed claims. @throws if any check fails */
export async function verifyPresentation(presentation: string, expected: Expected): Promise<Record<string, unknown>> {
  const endOfShown = presentation.lastIndexOf("~") + 1;
  const shown = presentation.slice(0, endOfShown);
  const proof = presentation.slice(endOfShown);
  const credential = shown.slice(0, shown.indexOf("~"));

  // 1. Issuer: a trusted one, its own key, and the kind of credential you requested.
  const { iss } = decodeJwt(credential);
  if (iss === undefined || !expected.issuers.includes(iss)) throw new Error("The issuer is not trusted.");
  const keys = await issuerKeys(iss);
  const byIssuer = { issuer: iss, algorithms: ["ES256"], clockTolerance: "30 seconds" };
  const { payload } = await jwtVerify<Credential>(credential, keys, {
    ...byIssuer,
    typ: "dc+sd-jwt",
    requiredClaims: ["iat", "exp", "vct", "cnf", "status"],
  });
  if (payload.vct !== `${iss}/agents/credential-types/${expected.kind}`)
    throw new Error("The credential is of another kind.");

  // 2. Key binding: signed by the agent, for you, now, over exactly these disclosures.
  const { payload: binding } = await jwtVerify(proof, await importJWK(payload.cnf.jwk, "ES256"), {
    algorithms: ["ES256"],
    typ: "kb+jwt",
    audience: expected.audience,
    maxTokenAge: "5 minutes",
    clockTolerance: "30 seconds",
    requiredClaims: ["iat", "aud", "nonce", "sd_hash"],
  });
  if (binding["nonce"] !== expected.nonce) throw new Error("The presentation is for another request.");
  const hash = createHash("sha256").update(shown).digest("base64url");
  if (binding["sd_hash"] !== hash) throw new Error("The proof covers other disclosures.");

  // 3. Status.
  const { idx, uri } = payload.status.status_list;
  const statusList = await get(uri, "application/statuslist+jwt");
  const token = await statusList.text();
  await jwtVerify(token, keys, {
    ...byIssuer,
    subject: uri,
    typ: "statuslist+jwt",
    requiredClaims: ["iat", "exp"],
  });
  if (getListFromStatusListJWT(token).getStatus(idx) !== 0) throw new Error("The credential is revoked.");

  // 4. Claims: only disclosures whose digest the issuer signed.
  return (await new SDJwtVcInstance({ hasher: digest }).getClaims(shown)) as Record<string, unknown>;
}

async function issuerKeys(issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> {
  let keys = keysOf.get(issuer);
  if (!keys) {
    const response = await get(new URL("/.well-known/jwt-vc-issuer", issuer).href, "application/json");
    const metadata = (await response.json()) as { issuer: string; jwks_uri: string };
    if (metadata.issuer !== issuer) throw new Error("The metadata names another issuer.");
    // Fetches the keys again for an unknown key id.
    keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
    keysOf.set(issuer, keys);
  }
  return keys;
}

async function get(url: string, accept: string): Promise<Response> {
  const response = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} responded ${response.status}.`);
  return response;
}

if (import.meta.main) {
  const isSandbox = process.env["SATCHEL_URL"] === undefined;
  const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
  const issuer = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
  const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;
  const request = { audience: "https://merchant.example", nonce: randomUUID() };

  const response = await fetch(`${issuer}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      query: `mutation ($input: PresentAgentCredentialInput!) { presentAgentCredential(input: $input) {
        ... on PresentAgentCredentialSuccess { presentation } ... on Error { code message } } }`,
      variables: { input: { kind: "TRUST", ...request, disclose: ["agent_id", "trust_score"] } },
    }),
  });
  const { presentation, code, message } = (await response.json()).data.presentAgentCredential;
  if (code) throw new Error(`${code}: ${message}`);
  console.log(await verifyPresentation(presentation, { issuers: [issuer], kind: "trust", ...request }));
}
