/** Signs, reads and presents SD-JWT VCs (RFC 9901; draft-ietf-oauth-sd-jwt-vc) with ES256 and SHA-256. */
import { type KeyObject, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";
import { digest } from "@sd-jwt/crypto-nodejs";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import type { EcPublicJwk } from "../../platform/crypto/sealing/sealed-private-key.ts";

/** RFC 9901, section 9.3, recommends 128 bits. The library's own generator produces half of that. */
const SALT_BYTES = 16;

/** Claims that are always visible. All others are selectively disclosable. */
export interface VisibleClaims {
  readonly iss: string;
  /** Seconds since the Unix epoch, like `exp`. */
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

/** Reads credentials without a key; signatures are not checked. */
const reader = new SDJwtVcInstance(HASHING);

/** Signs a credential in which each claim of `disclosable`, and each member of a claim that is an object, is disclosable. */
export function signCredential(
  key: { readonly kid: string; readonly privateKey: KeyObject },
  visible: VisibleClaims,
  disclosable: DisclosableClaims,
): Promise<string> {
  const issuer = new SDJwtVcInstance({ ...HASHING, signer: createEs256Signer(key.privateKey), signAlg: "ES256" });
  const frame = createDisclosureFrame(disclosable);
  return issuer.issue({ ...visible, ...disclosable }, frame as never, { header: { kid: key.kid } });
}

/** Returns all claims of a credential that this service issued, disclosed or not. Does not check the signature. */
export async function readClaims(sdJwt: string): Promise<Readonly<Record<string, unknown>>> {
  return (await reader.getClaims(sdJwt)) as Record<string, unknown>;
}

/** Returns the names of the disclosable claims. A member's name includes its claim: `limits.daily_usd`. */
export function disclosableNames(sdJwt: string): Promise<string[]> {
  return reader.presentableKeys(sdJwt);
}

/**
 * Creates a presentation that discloses only the named claims and is bound to the audience and nonce (key binding, RFC 9901,
 * section 4.3).
 * @param names subset of `disclosableNames`
 */
export function presentCredential(
  sdJwt: string,
  names: readonly string[],
  proof: { readonly holderKey: KeyObject; readonly audience: string; readonly nonce: string; readonly iat: number },
): Promise<string> {
  const holder = new SDJwtVcInstance({ ...HASHING, kbSigner: createEs256Signer(proof.holderKey), kbSignAlg: "ES256" });
  const { audience: aud, nonce, iat } = proof;
  return holder.present(sdJwt, createPresentationFrame(names) as never, { kb: { payload: { iat, aud, nonce } } });
}

/** Returns an ES256 signer. The signature is R and S concatenated, not DER (RFC 7518, section 3.4). */
function createEs256Signer(key: KeyObject): (data: string) => Promise<string> {
  const signAsync = promisify(sign) as (
    algorithm: string,
    data: Uint8Array,
    key: { key: KeyObject; dsaEncoding: "ieee-p1363" },
  ) => Promise<Buffer>;
  return async (data) =>
    (await signAsync("sha256", Buffer.from(data), { key, dsaEncoding: "ieee-p1363" })).toString("base64url");
}

function createDisclosureFrame(claims: DisclosableClaims): object {
  const members = Object.entries(claims).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [[name, { _sd: Object.keys(value) }] as const]
      : [],
  );
  return { _sd: Object.keys(claims), ...Object.fromEntries(members) };
}

function createPresentationFrame(names: readonly string[]): object {
  const frame: Record<string, true | Record<string, true>> = {};
  for (const name of names) {
    const [outer = name, inner] = name.split(".", 2);
    if (inner === undefined) frame[outer] ??= true;
    else frame[outer] = { ...(typeof frame[outer] === "object" ? frame[outer] : {}), [inner]: true };
  }
  return frame;
}
