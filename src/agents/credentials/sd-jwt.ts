/** SD-JWT VCs (RFC 9901; draft-ietf-oauth-sd-jwt-vc) as this service signs, reads and presents them: ES256, SHA-256. */
import { type KeyObject, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";
import { digest } from "@sd-jwt/crypto-nodejs";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import type { EcPublicJwk } from "../../platform/crypto/sealing/sealed-private-key.ts";

/** RFC 9901, section 9.3: 128 bits. The library's own generator gives half of that. */
const SALT_BYTES = 16;

/** What anybody sees who sees the credential; all else is shown claim by claim. */
export interface PlainClaims {
  readonly iss: string;
  /** Seconds since the epoch, as `exp`. */
  readonly iat: number;
  readonly exp: number;
  readonly vct: string;
  readonly cnf: { readonly jwk: EcPublicJwk };
  readonly status: { readonly status_list: { readonly idx: number; readonly uri: string } };
}

export type DisclosableClaims = Readonly<Record<string, unknown>>;

const HASHING = {
  hasher: digest,
  hashAlg: "sha-256",
  saltGenerator: () => randomBytes(SALT_BYTES).toString("base64url"),
} as const;

/** Reads and cuts down; holds no key. */
const reader = new SDJwtVcInstance(HASHING);

/** Signs a credential in which each of `disclosable`, and each member of those that are objects, can be shown alone. */
export function signCredential(
  key: { readonly kid: string; readonly privateKey: KeyObject },
  plain: PlainClaims,
  disclosable: DisclosableClaims,
): Promise<string> {
  const issuer = new SDJwtVcInstance({ ...HASHING, signer: es256(key.privateKey), signAlg: "ES256" });
  const frame = disclosureFrame(disclosable);
  return issuer.issue({ ...plain, ...disclosable }, frame as never, { header: { kid: key.kid } });
}

/** Every claim of a credential of our own, disclosed or not; no signature is checked. */
export async function readClaims(sdJwt: string): Promise<Readonly<Record<string, unknown>>> {
  return (await reader.getClaims(sdJwt)) as Record<string, unknown>;
}

/** The names of the claims that may be shown, members as `limits.daily_usd`. */
export function disclosableNames(sdJwt: string): Promise<string[]> {
  return reader.presentableKeys(sdJwt);
}

/**
 * The credential with only the claims named, and a proof that its holder shows it now, to this audience (key binding,
 * RFC 9901, section 4.3).
 * @param names some of `disclosableNames`
 */
export function presentCredential(
  sdJwt: string,
  names: readonly string[],
  proof: { readonly holderKey: KeyObject; readonly audience: string; readonly nonce: string; readonly iat: number },
): Promise<string> {
  const holder = new SDJwtVcInstance({ ...HASHING, kbSigner: es256(proof.holderKey), kbSignAlg: "ES256" });
  const { audience: aud, nonce, iat } = proof;
  return holder.present(sdJwt, presentationFrame(names) as never, { kb: { payload: { iat, aud, nonce } } });
}

/** RFC 7518, section 3.4: the two numbers one after the other, not DER. */
function es256(key: KeyObject): (data: string) => Promise<string> {
  const signAsync = promisify(sign) as (
    algorithm: string,
    data: Uint8Array,
    key: { key: KeyObject; dsaEncoding: "ieee-p1363" },
  ) => Promise<Buffer>;
  return async (data) =>
    (await signAsync("sha256", Buffer.from(data), { key, dsaEncoding: "ieee-p1363" })).toString("base64url");
}

function disclosureFrame(claims: DisclosableClaims): object {
  const members = Object.entries(claims).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [[name, { _sd: Object.keys(value) }] as const]
      : [],
  );
  return { _sd: Object.keys(claims), ...Object.fromEntries(members) };
}

function presentationFrame(names: readonly string[]): object {
  const frame: Record<string, true | Record<string, true>> = {};
  for (const name of names) {
    const [outer = name, inner] = name.split(".", 2);
    if (inner === undefined) frame[outer] ??= true;
    else frame[outer] = { ...(typeof frame[outer] === "object" ? frame[outer] : {}), [inner]: true };
  }
  return frame;
}
