/** Which credentials are revoked, as anybody may ask (Token Status List, draft-ietf-oauth-status-list): one bit each, signed. */
import { createHeaderAndPayload, StatusList } from "@sd-jwt/jwt-status-list";
import { CompactSign } from "jose";
import { LRUCache } from "lru-cache";
import type { CredentialDeps } from "./deps.ts";
import { STATUS_LIST_SIZE } from "./status-index.ts";

const BITS = 1;
const REVOKED = 1;
/** How long verifiers may go on with what they fetched: with the reuse below, a revocation is known after 65 s. */
export const STATUS_LIST_TTL_SECONDS = 60;
/** After this nobody may go by it, whoever handed it on. */
const LIFETIME_SECONDS = 3_600;
/** One signature serves whoever asks within this time. */
const REUSED_FOR_MS = 5_000;
const LISTS_KEPT = 100;

/** Where a list is, under the issuer's address. */
export function statusListPath(statusListId: number): string {
  return `/agents/status-lists/${statusListId}`;
}

/** Answers a list's token (`statuslist+jwt`); null when there is no such list. */
export type FindStatusList = (statusListId: number) => Promise<string | null>;

/** @returns a function that remembers tokens for a few seconds */
export function createStatusLists(deps: Pick<CredentialDeps, "db" | "site" | "signingKeys">): FindStatusList {
  const tokens = new LRUCache<number, Promise<string | null>>({ max: LISTS_KEPT, ttl: REUSED_FOR_MS });
  return (statusListId) => {
    const known = tokens.get(statusListId);
    if (known) return known;
    const making = makeToken(deps, statusListId);
    tokens.set(statusListId, making);
    const forget = () => tokens.peek(statusListId) === making && tokens.delete(statusListId);
    // Lists that are not there would push out those that are.
    making.then((token) => token === null && forget(), forget);
    return making;
  };
}

async function makeToken(
  { db, site, signingKeys }: Pick<CredentialDeps, "db" | "site" | "signingKeys">,
  statusListId: number,
): Promise<string | null> {
  // Before the rows are read: whatever is revoked from here on is in the next token.
  const iat = Math.floor(Date.now() / 1000);
  const { agentCredential } = db.prisma;
  const [some, revoked] = await Promise.all([
    agentCredential.findFirst({ where: { statusListId }, select: { id: true } }),
    agentCredential.findMany({ where: { statusListId, revokedAt: { not: null } }, select: { statusIndex: true } }),
  ]);
  if (!some) return null;
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
