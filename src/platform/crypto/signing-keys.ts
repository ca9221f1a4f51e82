/**
 * ES256 keys that sign this service's tokens: sealed in the database, rotated every 90 days. Each purpose has its own keys and
 * JWK Set (RFC 7517). A key for one kind of token never verifies another kind.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, type JWK } from "jose";
import { LRUCache } from "lru-cache";
import { cachePromise } from "../concurrency/memoize.ts";
import type { Database } from "../database/connection.ts";
import { createSealedPrivateKey, openSealedPrivateKey } from "./sealing/sealed-private-key.ts";
import type { SealedTable } from "./sealing/sealed-table.ts";
import type { KeyEncryptionKeys } from "./sealing/wrapped-key.ts";

export type KeyPurpose = "login_token" | "credential" | "mandate" | "live_view" | "known_browser" | "tool_handle";

export interface SigningKeys {
  /**
   * Returns the current signing key, created on first use. Its successor is published one day before the rotation after 90
   * days.
   */
  current(purpose: KeyPurpose): Promise<{ readonly kid: string; readonly privateKey: KeyObject }>;
  /** Returns the published public key with this id and purpose, or null. */
  publicKey(purpose: KeyPurpose, kid: string): Promise<KeyObject | null>;
  /** Returns all published public keys of the purpose, newest first. */
  published(purpose: KeyPurpose): Promise<JWK[]>;
}

const DAY_MS = 86_400_000;
const SIGNING_PERIOD_MS = 90 * DAY_MS;
/** Time between the publication of a key and its first signature, since verifiers cache the JWK Set. */
const PUBLISHED_BEFORE_MS = DAY_MS;
/** How long a retired key remains published: longer than the lifetime of any token signed with it. */
const PUBLISHED_AFTER_MS: Readonly<Record<KeyPurpose, number>> = {
  login_token: 7 * DAY_MS,
  // Credentials are valid for 30 days.
  credential: 40 * DAY_MS,
  // Mandates are evidence in disputes, years after the purchase.
  mandate: 3_650 * DAY_MS,
  live_view: 7 * DAY_MS,
  // Cookies of known browsers are valid for a year.
  known_browser: 366 * DAY_MS,
  // Handles of tools are valid for a day.
  tool_handle: 2 * DAY_MS,
};
/** How long a node caches the current key. Another node may have created a newer key meanwhile; both are published. */
const CURRENT_TTL_MS = 60_000;
const PUBLIC_TTL_MS = 60_000;

/**
 * Retires a signing key before its rotation. A successor is created on the next use; running nodes stop to use and to publish the
 * key within a minute.
 * @param isCompromised whether the key must no longer verify anything; otherwise it stays published for what it signed
 * @returns the purpose of the key, and whether it verifies nothing now; null if there is no key with this id
 */
export async function retireSigningKey(
  { prisma }: Database,
  kid: string,
  { isCompromised }: { readonly isCompromised: boolean },
): Promise<{ purpose: string; isRevoked: boolean } | null> {
  const now = new Date();
  const key = await prisma.signingKey.findUnique({ where: { id: kid }, select: { purpose: true, revokedAt: true } });
  if (!key) return null;
  await prisma.signingKey.updateMany({ where: { id: kid, retiredAt: null }, data: { retiredAt: now } });
  if (isCompromised) {
    await prisma.signingKey.updateMany({ where: { id: kid, revokedAt: null }, data: { revokedAt: now } });
  }
  return { purpose: key.purpose, isRevoked: isCompromised || key.revokedAt !== null };
}

/** @param deps.kek wraps the data key under which each new private key is sealed */
export function createSigningKeys(deps: { readonly db: Database } & KeyEncryptionKeys): SigningKeys {
  const { signingKey } = deps.db.prisma;
  const currentKeys = new LRUCache<KeyPurpose, Promise<{ kid: string; privateKey: KeyObject }>>({
    max: 16,
    ttl: CURRENT_TTL_MS,
  });
  const cachedPublicKeys = new LRUCache<string, KeyObject>({ max: 100, ttl: PUBLIC_TTL_MS });

  // Two nodes that start concurrently may both create a key. Both keys are published; after the cache expires, both nodes
  // use the older.
  const findOldest = (purpose: KeyPurpose, youngerThanMs: number) =>
    signingKey.findFirst({
      where: { purpose, retiredAt: null, createdAt: { gt: new Date(Date.now() - youngerThanMs) } },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });

  const isPublished = (purpose: KeyPurpose) => ({
    purpose,
    revokedAt: null,
    OR: [{ retiredAt: null }, { retiredAt: { gt: new Date(Date.now() - PUBLISHED_AFTER_MS[purpose]) } }],
  });

  async function loadCurrent(purpose: KeyPurpose) {
    if (!(await findOldest(purpose, SIGNING_PERIOD_MS - PUBLISHED_BEFORE_MS))) {
      await signingKey.create({ data: { ...(await generateSigningKey(deps)), purpose, createdAt: new Date() } });
    }
    const now = new Date();
    const row = await findOldest(purpose, SIGNING_PERIOD_MS);
    if (!row) throw new Error("No signing key found after one was created.");
    await signingKey.updateMany({
      where: { purpose, retiredAt: null, createdAt: { lte: new Date(now.getTime() - SIGNING_PERIOD_MS) } },
      data: { retiredAt: now },
    });
    return { kid: row.id, privateKey: await openSealedPrivateKey(deps, row, contextOf(row.id)) };
  }

  return {
    current(purpose) {
      return currentKeys.get(purpose) ?? cachePromise(currentKeys, purpose, loadCurrent(purpose));
    },
    async publicKey(purpose, kid) {
      const name = `${purpose}:${kid}`;
      const cached = cachedPublicKeys.get(name);
      if (cached) return cached;
      const row = await signingKey.findFirst({ where: { id: kid, ...isPublished(purpose) } });
      if (!row) return null;
      const key = createPublicKey({ key: row.publicJwk as never, format: "jwk" });
      cachedPublicKeys.set(name, key);
      return key;
    },
    async published(purpose) {
      const rows = await signingKey.findMany({ where: isPublished(purpose), orderBy: { createdAt: "desc" } });
      return rows.map(({ id, publicJwk }) => ({ ...(publicJwk as JWK), kid: id, use: "sig", alg: "ES256" }));
    },
  };
}

async function generateSigningKey(keks: KeyEncryptionKeys) {
  const { publicJwk, ...sealed } = await createSealedPrivateKey(keks, async (jwk) =>
    contextOf(await calculateJwkThumbprint(jwk)),
  );
  return { id: await calculateJwkThumbprint(publicJwk), publicJwk: { ...publicJwk }, ...sealed };
}

function contextOf(id: string): string {
  return `signing-key\0${id}`;
}

export const SEALED_SIGNING_KEYS: SealedTable = {
  name: "signing_keys",
  hasAccounts: false,
  contextOf: ({ id }) => contextOf(id),
};
