/**
 * The keys this service signs tokens with: ES256, sealed in the database, a new one every 90 days. All that may still
 * verify something are published at `/.well-known/jwks.json` (RFC 7517).
 */
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";
import { LRUCache } from "lru-cache";
import type { SigningKey } from "../../generated/prisma/client.ts";
import type { Database } from "./database.ts";
import type { KeyEncryptionKey } from "./sealing/key-encryption-key.ts";
import { open, seal } from "./sealing/sealed-box.ts";
import { type KeyEncryptionKeys, rewrapDataKey, unwrapDataKey, type WrappedKey } from "./sealing/wrapped-key.ts";

export type KeyPurpose = "login_token";

export interface SigningKeys {
  /** The key to sign with now; made on first use, and anew when the last is 90 days old. */
  current(purpose: KeyPurpose): Promise<{ readonly kid: string; readonly privateKey: KeyObject }>;
  /** The public key of that id and purpose, while it is published; null when there is none. */
  publicKey(purpose: KeyPurpose, kid: string): Promise<KeyObject | null>;
  /** Every published public key, newest first. */
  published(): Promise<JWK[]>;
}

const DAY_MS = 86_400_000;
const SIGNS_FOR_MS = 90 * DAY_MS;
/** Longer than any token signed with it is good for. */
const PUBLISHED_AFTER_MS = 7 * DAY_MS;
/** How long a node goes on with what it read: another node may have made a newer key, and both are published. */
const CURRENT_TTL_MS = 60_000;
const PUBLIC_TTL_MS = 60_000;
const DATA_KEY_BYTES = 32;

/** @param deps.kek wraps the data key under which each new private key is sealed */
export function createSigningKeys(deps: { readonly db: Database } & KeyEncryptionKeys): SigningKeys {
  const { signingKey } = deps.db.prisma;
  const currents = new LRUCache<KeyPurpose, Promise<{ kid: string; privateKey: KeyObject }>>({
    max: 16,
    ttl: CURRENT_TTL_MS,
  });
  const publics = new LRUCache<string, KeyObject>({ max: 100, ttl: PUBLIC_TTL_MS });

  // Of two nodes that start together both may make a key. Both are published; from the next reading on both sign with the older.
  const findCurrent = (purpose: KeyPurpose) =>
    signingKey.findFirst({
      where: { purpose, retiredAt: null, createdAt: { gt: new Date(Date.now() - SIGNS_FOR_MS) } },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });

  const isPublished = () => ({
    OR: [{ retiredAt: null }, { retiredAt: { gt: new Date(Date.now() - PUBLISHED_AFTER_MS) } }],
  });

  async function loadCurrent(purpose: KeyPurpose) {
    let row = await findCurrent(purpose);
    if (!row) {
      const now = new Date();
      await signingKey.create({ data: { ...(await newKey(deps.kek)), purpose, createdAt: now } });
      await signingKey.updateMany({
        where: { purpose, retiredAt: null, createdAt: { lte: new Date(now.getTime() - SIGNS_FOR_MS) } },
        data: { retiredAt: now },
      });
      row = await findCurrent(purpose);
    }
    if (!row) throw new Error("A signing key that was just made is not there.");
    return { kid: row.id, privateKey: await unseal(deps, row) };
  }

  return {
    current(purpose) {
      const known = currents.get(purpose);
      if (known) return known;
      const loading = loadCurrent(purpose);
      currents.set(purpose, loading);
      loading.catch(() => currents.peek(purpose) === loading && currents.delete(purpose));
      return loading;
    },
    async publicKey(purpose, kid) {
      const name = `${purpose}:${kid}`;
      const known = publics.get(name);
      if (known) return known;
      const row = await signingKey.findFirst({ where: { id: kid, purpose, ...isPublished() } });
      if (!row) return null;
      const key = createPublicKey({ key: row.publicJwk as never, format: "jwk" });
      publics.set(name, key);
      return key;
    },
    async published() {
      const rows = await signingKey.findMany({ where: isPublished(), orderBy: { createdAt: "desc" } });
      return rows.map(({ id, publicJwk }) => ({ ...(publicJwk as JWK), kid: id, use: "sig", alg: "ES256" }));
    },
  };
}

async function newKey(kek: KeyEncryptionKey) {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const publicJwk = publicKey.export({ format: "jwk" }) as { kty: "EC"; crv: string; x: string; y: string };
  const id = await calculateJwkThumbprint(publicJwk);
  const secret = privateKey.export({ format: "der", type: "pkcs8" });
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    const wrappedDataKey = await kek.wrap(dataKey, contextOf(id));
    const sealedKey = seal(createSecretKey(dataKey), secret, contextOf(id));
    return { id, publicJwk, sealedKey, wrappedDataKey, kekId: kek.id };
  } finally {
    secret.fill(0);
    dataKey.fill(0);
  }
}

async function unseal(keks: KeyEncryptionKeys, row: SigningKey): Promise<KeyObject> {
  const dataKey = await unwrapDataKey(keks, row, contextOf(row.id));
  try {
    const secret = open(createSecretKey(dataKey), row.sealedKey, contextOf(row.id));
    try {
      return createPrivateKey({ key: Buffer.from(secret.buffer), format: "der", type: "pkcs8" });
    } finally {
      secret.fill(0);
    }
  } finally {
    dataKey.fill(0);
  }
}

/** The signing key's data key under the current key-encryption key. @throws {UnknownKekError} */
export function rewrapSigningKey(
  keks: KeyEncryptionKeys,
  row: WrappedKey & { readonly id: string },
): Promise<WrappedKey> {
  return rewrapDataKey(keks, row, contextOf(row.id));
}

function contextOf(id: string): string {
  return `signing-key\0${id}`;
}
