/**
 * What an endpoint's deliveries are signed with (Standard Webhooks, "Signature scheme"): random secrets, sealed under a
 * data key of the endpoint's own. During a rotation there are two, and both sign.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { open, seal } from "../platform/sealing/sealed-box.ts";
import {
  type KeyEncryptionKeys,
  rewrapDataKey,
  unwrapDataKey,
  type WrappedKey,
} from "../platform/sealing/wrapped-key.ts";

export interface SealedSecrets extends WrappedKey {
  readonly id: string;
  readonly sealedSecrets: Uint8Array<ArrayBuffer>;
}

export interface WebhookSecrets {
  /** Makes the first secret of an endpoint that is about to be stored. */
  create(endpointId: string): Promise<{ readonly secret: string; readonly sealed: SealedSecrets }>;
  /** Makes a new secret; the one before it signs for another day. */
  rotate(row: SealedSecrets): Promise<{ readonly secret: string; readonly sealedSecrets: Uint8Array<ArrayBuffer> }>;
  /** The `webhook-signature` header of what is sent to an endpoint: a signature by each of its secrets. */
  sign(row: SealedSecrets, message: SignedMessage): Promise<string>;
}

export interface SignedMessage {
  /** `webhook-id` */
  readonly id: string;
  /** `webhook-timestamp` */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** As it lies in the box: secrets in base64. */
interface Contents {
  readonly current: string;
  readonly previous: { readonly secret: string; readonly untilMs: number } | null;
}

/** How people and their libraries know a secret. */
const PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
const DATA_KEY_BYTES = 32;
const PREVIOUS_SIGNS_FOR_HOURS = 24;
const CACHE = { max: 10_000, ttl: 5 * 60_000 };

export function createWebhookSecrets(keks: KeyEncryptionKeys): WebhookSecrets {
  // So that a remote key-encryption key is not asked for every delivery. Outside the JavaScript heap, as in the vault.
  const dataKeys = new LRUCache<string, Promise<KeyObject>>(CACHE);

  const dataKeyOf = (row: SealedSecrets): Promise<KeyObject> => {
    const name = `${row.kekId}\0${row.id}\0${Buffer.from(row.wrappedDataKey).toString("base64")}`;
    const known = dataKeys.get(name);
    if (known) return known;
    const loading = unwrapDataKey(keks, row, contextOf(row.id)).then(importSecret);
    dataKeys.set(name, loading);
    loading.catch(() => dataKeys.peek(name) === loading && dataKeys.delete(name));
    return loading;
  };

  const openBox = async (row: SealedSecrets): Promise<Contents> => {
    const plaintext = open(await dataKeyOf(row), row.sealedSecrets, contextOf(row.id));
    try {
      return JSON.parse(Buffer.from(plaintext.buffer).toString()) as Contents;
    } finally {
      plaintext.fill(0);
    }
  };

  return {
    async create(id) {
      const dataKey = randomBytes(DATA_KEY_BYTES);
      const wrappedDataKey = await keks.kek.wrap(dataKey, contextOf(id));
      const current = newSecret();
      const sealedSecrets = sealBox(importSecret(dataKey), id, { current, previous: null });
      return { secret: PREFIX + current, sealed: { id, sealedSecrets, wrappedDataKey, kekId: keks.kek.id } };
    },
    async rotate(row) {
      const { current: secret } = await openBox(row);
      const current = newSecret();
      const previous = { secret, untilMs: Date.now() + PREVIOUS_SIGNS_FOR_HOURS * 3_600_000 };
      return { secret: PREFIX + current, sealedSecrets: sealBox(await dataKeyOf(row), row.id, { current, previous }) };
    },
    async sign(row, { id, timestampSeconds, body }) {
      const { current, previous } = await openBox(row);
      const secrets = previous && previous.untilMs > Date.now() ? [current, previous.secret] : [current];
      return secrets
        .map((secret) => createHmac("sha256", Buffer.from(secret, "base64")))
        .map((hmac) => `v1,${hmac.update(`${id}.${timestampSeconds}.${body}`).digest("base64")}`)
        .join(" ");
    },
  };
}

/** The endpoint's data key under the current key-encryption key. @throws {UnknownKekError} */
export function rewrapWebhookSecrets(
  keks: KeyEncryptionKeys,
  row: WrappedKey & { readonly id: string },
): Promise<WrappedKey> {
  return rewrapDataKey(keks, row, contextOf(row.id));
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64");
}

function sealBox(dataKey: KeyObject, id: string, contents: Contents): Uint8Array<ArrayBuffer> {
  const plaintext = Buffer.from(JSON.stringify(contents));
  try {
    return seal(dataKey, plaintext, contextOf(id));
  } finally {
    plaintext.fill(0);
  }
}

function importSecret(bytes: Uint8Array): KeyObject {
  const secret = createSecretKey(bytes);
  bytes.fill(0);
  return secret;
}

function contextOf(id: string): string {
  return `webhook\0${id}`;
}
