/** Public, signed status lists with one bit per credential (Token Status List, draft-ietf-oauth-status-list). */
import { createHeaderAndPayload, StatusList } from "@sd-jwt/jwt-status-list";
import { CompactSign } from "jose";
import { LRUCache } from "lru-cache";
import type { CredentialDeps } from "./deps.ts";
import { STATUS_LIST_SIZE } from "./status-index.ts";

const BITS = 1;
const REVOKED = 1;
/** Time verifiers may cache a list. With {@link CACHE_TTL_MS}, verifiers see a revocation after at most 65 s. */
export const STATUS_LIST_TTL_SECONDS = 60;
/** Lifetime of a status list token, after which verifiers must reject it. */
const LIFETIME_SECONDS = 3_600;
/** Time for which one signed token is reused for all requests. */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED_LISTS = 100;

/** Returns the path of a list under the issuer's URL. */
export function statusListPath(statusListId: number): string {
  return `/agents/status-lists/${statusListId}`;
}

/** Returns a list's token (`statuslist+jwt`), or null if there is no such list. */
export type FindStatusList = (statusListId: number) => Promise<string | null>;

/** Creates a function that returns status list tokens and caches them for {@link CACHE_TTL_MS}. */
export function createStatusListCache(deps: Pick<CredentialDeps, "db" | "site" | "signingKeys">): FindStatusList {
  const tokens = new LRUCache<number, Promise<string | null>>({ max: MAX_CACHED_LISTS, ttl: CACHE_TTL_MS });
  return (statusListId) => {
    const cached = tokens.get(statusListId);
    if (cached) return cached;
    const pending = createToken(deps, statusListId);
    tokens.set(statusListId, pending);
    const evict = () => tokens.peek(statusListId) === pending && tokens.delete(statusListId);
    // Ids of missing lists are evicted, or they would displace existing lists.
    pending.then((token) => token === null && evict(), evict);
    return pending;
  };
}

async function createToken(
  { db, site, signingKeys }: Pick<CredentialDeps, "db" | "site" | "signingKeys">,
  statusListId: number,
): Promise<string | null> {
  // Set before the rows are read, so `iat` never claims a later state than the list has.
  const iat = Math.floor(Date.now() / 1000);
  const { agentCredential } = db.prisma;
  const [anyCredential, revoked] = await Promise.all([
    agentCredential.findFirst({ where: { statusListId }, select: { id: true } }),
    agentCredential.findMany({ where: { statusListId, revokedAt: { not: null } }, select: { statusIndex: true } }),
  ]);
  if (!anyCredential) return null;
  const list = new StatusList(new Array<number>(STATUS_LIST_SIZE).fill(0), BITS);
  for (const { statusIndex } of revoked) list.setStatus(statusIndex, REVOKED);
  const { kid, privateKey } = await signingKeys.current("credential");
  const iss = site.baseUrl();
  const times = { iat, exp: iat + LIFETIME_SECONDS, ttl: STATUS_LIST_TTL_SECONDS };
  const token = createHeaderAndPayload(
    list,
    { iss, sub: iss + statusListPath(statusListId), ...times },
    { alg: "ES256", kid, typ: "statuslist+jwt" },
  );
  return await new CompactSign(Buffer.from(JSON.stringify(token.payload)))
    .setProtectedHeader({ ...token.header })
    .sign(privateKey);
}
