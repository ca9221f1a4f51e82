/** Passkey authenticator in software (WebAuthn level 3, section 6), including the browser's part. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** Values that deviate from the correct ones. */
export interface Deviations {
  readonly origin?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly credentialId?: string;
  readonly userHandle?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
}

export interface Credential {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly userHandle: string;
  readonly rpId: string;
  counter: number;
}

export interface Authenticator {
  readonly credentials: Credential[];
  /** `navigator.credentials.create` */
  create(options: PublicKeyCredentialCreationOptionsJSON, deviations?: Deviations): RegistrationResponseJSON;
  /** `navigator.credentials.get`, by default with the newest credential. */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    deviations?: Deviations,
    credential?: Credential,
  ): AuthenticationResponseJSON;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString("base64url");

/** @param options.counts whether the passkey has a signature counter; false for a synchronised passkey */
export function createAuthenticator(origin: string, options: { hasCounter?: boolean } = {}): Authenticator {
  const { hasCounter: counts = true } = options;
  const credentials: Credential[] = [];

  const createClientData = (type: string, challenge: string, given: Deviations) =>
    JSON.stringify({
      type,
      challenge: given.challenge ?? challenge,
      origin: given.origin ?? origin,
      crossOrigin: given.crossOrigin ?? false,
      topOrigin: given.topOrigin,
    });

  const encodeAuthenticatorData = (rpId: string, flags: number, counter: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest]);
  };

  const getFlags = ({ userVerified = true }: Deviations) =>
    USER_PRESENT | (userVerified ? USER_VERIFIED : 0) | (counts ? 0 : BACKUP_ELIGIBLE | BACKED_UP);

  return {
    credentials,
    create(options, given = {}) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const id = given.credentialId ?? base64url(randomBytes(32));
      const rpId = given.rpId ?? options.rp.id ?? "";
      const credential = { id, privateKey, userHandle: options.user.id, rpId, counter: counts ? 1 : 0 };
      credentials.push(credential);
      const coseKey = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, "base64url"))],
          [-3, new Uint8Array(Buffer.from(y, "base64url"))],
        ]),
      );
      const rawId = Buffer.from(id, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey]);
      const data = encodeAuthenticatorData(rpId, getFlags(given) | ATTESTED, credential.counter, attested);
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, string>()],
          ["authData", new Uint8Array(data)],
        ]),
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(createClientData("webauthn.create", options.challenge, given)),
          attestationObject: base64url(attestationObject),
          transports: ["internal"],
        },
      };
    },
    get(options, given = {}, credential = credentials.at(-1)) {
      if (!credential) throw new Error("This authenticator has no credential.");
      if (counts) credential.counter += 1;
      const json = createClientData("webauthn.get", options.challenge, given);
      const rpId = given.rpId ?? options.rpId ?? "";
      const data = encodeAuthenticatorData(rpId, getFlags(given), given.counter ?? credential.counter);
      const signature = sign("sha256", Buffer.concat([data, sha256(json)]), credential.privateKey);
      const id = given.credentialId ?? credential.id;
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(json),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: given.userHandle ?? credential.userHandle,
        },
      };
    },
  };
}
