/**
 * Private keys of curve P-256 (ES256) in the database. Each is sealed under its own data key, wrapped by a key-encryption
 * key.
 */
import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { open, seal } from "./sealed-box.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey, type WrappedKey } from "./wrapped-key.ts";

/** A public key of P-256 (RFC 7518, section 6.2.1). */
export interface EcPublicJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

export interface SealedPrivateKey extends WrappedKey {
  readonly sealedKey: Uint8Array<ArrayBuffer>;
}

/**
 * Generates a key pair and seals the private key.
 *
 * @param contextOf returns the context that binds the sealed bytes to their row and use; opening them requires the same context
 */
export async function createSealedPrivateKey(
  keks: KeyEncryptionKeys,
  contextOf: (publicJwk: EcPublicJwk) => string | Promise<string>,
): Promise<SealedPrivateKey & { readonly publicJwk: EcPublicJwk }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" }) as { x: string; y: string };
  const publicJwk: EcPublicJwk = { kty: "EC", crv: "P-256", x, y };
  const context = await contextOf(publicJwk);
  const secret = privateKey.export({ format: "der", type: "pkcs8" });
  try {
    const { dataKey, ...wrapped } = await createDataKey(keks, context);
    return { publicJwk, sealedKey: seal(dataKey, secret, context), ...wrapped };
  } finally {
    secret.fill(0);
  }
}

/** Opens the private key; the result is outside the JavaScript heap. @throws {SealBrokenError | UnknownKekError} */
export async function openSealedPrivateKey(
  keks: KeyEncryptionKeys,
  sealed: SealedPrivateKey,
  context: string,
): Promise<KeyObject> {
  const secret = open(await openDataKey(keks, sealed, context), sealed.sealedKey, context);
  try {
    return createPrivateKey({ key: Buffer.from(secret.buffer), format: "der", type: "pkcs8" });
  } finally {
    secret.fill(0);
  }
}
