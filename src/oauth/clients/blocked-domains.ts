/** Domains whose client ID metadata documents are refused. */
import type { OAuthBlockedDomain } from "../../../generated/prisma/client.ts";
import { requireAdministrator, requireReason } from "../../accounts/administration/administrator.ts";
import { recordAct } from "../../accounts/administration/record-act.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { retryDeadlocks } from "../../platform/database/retry-deadlocks.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { LOCK_TIMEOUTS, revokeAllAccess } from "./transition-client.ts";

/**
 * Condition, as SQL, that a blocked domain is the host or a parent of it. Resolvers ignore a dot at the end of a host, so the
 * condition does, too.
 */
export const isInBlockedDomain = (host: string): string =>
  `EXISTS (SELECT FROM oauth_blocked_domains b
    WHERE right('.' || rtrim(${host}, '.'), length(b.domain) + 1) = '.' || b.domain)`;

const FIND_CLIENTS: Statement = {
  name: "find-clients-of-blocked-domains",
  text: `SELECT id FROM oauth_clients c WHERE document_host IS NOT NULL AND ${isInBlockedDomain("c.document_host")}`,
};

interface DomainBlock {
  /** The host of documents; its subdomains are blocked, too. */
  readonly domain: string;
  readonly isBlocked: boolean;
  readonly reason: string;
}

/**
 * Blocks or unblocks a domain. A block ends all access of the domain's clients. After it is lifted, users must consent
 * again. Idempotent.
 *
 * The block is stored before the access is revoked, and each look-up of a client checks it. A client or request that
 * is stored meanwhile is therefore refused, too.
 * @returns the block; null if the domain is not blocked
 * @throws {ForbiddenError} if the viewer is not an administrator
 * @throws {InvalidRequestError} if the domain is not a host name, or the reason is missing
 */
export async function setDomainBlock(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  block: DomainBlock,
): Promise<OAuthBlockedDomain | null> {
  const actor = requireAdministrator(viewer);
  const domain = readDomain(block.domain);
  const reason = requireReason(block.reason);
  const { prisma } = db;
  const before = await prisma.oAuthBlockedDomain.findUnique({ where: { domain } });
  if (before === null && !block.isBlocked) return null;
  const act = { actor, reason, subjectType: "oauth_domain", subjectId: domain };
  if (!block.isBlocked) {
    await prisma.$transaction(async (tx) => {
      await tx.oAuthBlockedDomain.deleteMany({ where: { domain } });
      await recordAct(tx, { ...act, action: "oauth_domains.unblock" });
    }, LOCK_TIMEOUTS);
    return null;
  }
  // Committed first: requests that begin from now on are refused. A repetition completes a block that was interrupted.
  const stored = await prisma.$transaction(async (tx) => {
    if (before === null) await recordAct(tx, { ...act, action: "oauth_domains.block" });
    return await tx.oAuthBlockedDomain.upsert({ where: { domain }, create: { domain, reason }, update: { reason } });
  }, LOCK_TIMEOUTS);
  const clients = await db.query<{ id: string }>(FIND_CLIENTS, []);
  for (const { id } of clients) {
    await retryDeadlocks(() => prisma.$transaction((tx) => revokeAllAccess(tx, id), LOCK_TIMEOUTS));
  }
  return stored;
}

/** Returns the blocked domains, latest first. */
export async function listBlockedDomains({ db }: { readonly db: Database }): Promise<OAuthBlockedDomain[]> {
  return await db.prisma.oAuthBlockedDomain.findMany({ orderBy: { createdAt: "desc" }, take: MAX_LISTED });
}

const MAX_LISTED = 1_000;

function readDomain(given: string): string {
  const host = URL.parse(`https://${given.trim()}`)?.hostname ?? "";
  if (host === "" || host !== given.trim().toLowerCase() || host.endsWith(".") || host.length > 253) {
    throw new InvalidRequestError("domain must be a host name such as app.example. Nothing was changed.", "domain");
  }
  return host;
}
