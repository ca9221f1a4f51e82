/** Private keys of curve P-256 (ES256) as the database holds them: sealed under a data key of their own, which a key-encryption key wraps. */
import { createPrivateKey, createSecretKey, generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { open, seal } from "./sealed-box.ts";
import { type KeyEncryptionKeys, unwrapDataKey, type WrappedKey } from "./wrapped-key.ts";

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

const DATA_KEY_BYTES = 32;

/**
 * Makes a key pair and seals the private half.
 * @param contextOf what binds the sealed bytes to their row and use: the same is needed to open them
 */
export async function createSealedPrivateKey(
  { kek }: KeyEncryptionKeys,
  contextOf: (publicJwk: EcPublicJwk) => string | Promise<string>,
): Promise<SealedPrivateKey & { readonly publicJwk: EcPublicJwk }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" }) as { x: string; y: string };
  const publicJwk: EcPublicJwk = { kty: "EC", crv: "P-256", x, y };
  const context = await contextOf(publicJwk);
  const secret = privateKey.export({ format: "der", type: "pkcs8" });
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    const wrappedDataKey = await kek.wrap(dataKey, context);
    const sealedKey = seal(createSecretKey(dataKey), secret, context);
    return { publicJwk, sealedKey, wrappedDataKey, kekId: kek.id };
  } finally {
    secret.fill(0);
    dataKey.fill(0);
  }
}

/** The private key, outside the JavaScript heap. @throws {SealBrokenError | UnknownKekError} */
export async function openSealedPrivateKey(
  keks: KeyEncryptionKeys,
  sealed: SealedPrivateKey,
  context: string,
): Promise<KeyObject> {
  const dataKey = await unwrapDataKey(keks, sealed, context);
  try {
    const secret = open(createSecretKey(dataKey), sealed.sealedKey, context);
    try {
      return createPrivateKey({ key: Buffer.from(secret.buffer), format: "der", type: "pkcs8" });
    } finally {
      secret.fill(0);
    }
  } finally {
    dataKey.fill(0);
  }
}
