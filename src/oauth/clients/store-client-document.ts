/** Storage of a retrieved client ID metadata document as an application. */
import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { ClientDocument } from "./metadata-document.ts";
import { findDocumentTransition, parseStatus } from "./status.ts";
import { LOCK_TIMEOUTS, nextTimestamp, transitionClient } from "./transition-client.ts";

const INSERT: Statement = {
  name: "insert-document-client",
  text: `INSERT INTO oauth_clients (id, status, kind, registration, document_host, responsible_name, responsible_phone,
      responsible_country, responsible_address, app_name, support_email, contact_emails, javascript_origins, redirect_uris,
      terms_accepted_at, strict_scopes, is_listed_for_review, refreshed_at, declared_scopes)
    VALUES ($1, 'pending_approval', 'native', 'document', $2, '', '', '', '', $3, '', '{}', '{}', $4::text[], now(), true, false, now(), $5::text[])
    ON CONFLICT (id) DO NOTHING RETURNING id`,
};

/**
 * Stores the document's client. An approved client whose document has other hosts, another name or other scopes returns to
 * review, because the approval was given to the former document.
 */
export async function storeClientDocument(db: Database, url: URL, document: ClientDocument): Promise<void> {
  const { appName, redirectUris, declaredScopes } = document;
  for (;;) {
    const before = await db.prisma.oAuthClient.findUnique({ where: { id: url.href } });
    const isStored = before
      ? await db.prisma.$transaction((tx) => update(tx, before, document), LOCK_TIMEOUTS)
      : (await db.query(INSERT, [url.href, url.hostname, appName, redirectUris, declaredScopes])).length > 0;
    if (isStored) return;
    // Another transaction changed the client: read it again.
  }
}

/** Returns false, without a change, if the client no longer equals `before`. */
async function update(tx: Prisma.TransactionClient, before: OAuthClient, document: ClientDocument): Promise<boolean> {
  const { id, status, updatedAt } = before;
  const data = {
    appName: document.appName,
    redirectUris: [...document.redirectUris],
    declaredScopes: [...document.declaredScopes],
    refreshedAt: new Date(),
  };
  const changes = describeChanges(before, document);
  const transition = changes.length > 0 ? findDocumentTransition(parseStatus(status)) : null;
  if (transition) {
    const reason = `The metadata document changed. ${changes.join(". ")}.`;
    return await transitionClient(tx, before, { transition, reason, reviewerId: null, changes: data });
  }
  const isUnchanged = changes.length === 0 && isSameList(before.redirectUris, document.redirectUris);
  const { count } = await tx.oAuthClient.updateMany({
    where: { id, status, updatedAt },
    data: { ...data, updatedAt: isUnchanged ? updatedAt : nextTimestamp(updatedAt) },
  });
  return count > 0;
}

/** Returns the changes that a reviewer must see, as sentences without a full stop. */
function describeChanges(before: OAuthClient, after: ClientDocument): string[] {
  const hosts = [before.redirectUris, after.redirectUris].map(hostsOf);
  const changes: readonly (readonly [label: string, before: string, after: string])[] = [
    ["Name", before.appName, after.appName],
    ["Redirect hosts", hosts[0] ?? "", hosts[1] ?? ""],
    ["Scopes", before.declaredScopes.join(" "), after.declaredScopes.join(" ")],
  ];
  return changes
    .filter(([, old, current]) => old !== current)
    .map(([label, old, current]) => `${label}: ${old || "none"}, now ${current || "none"}`);
}

/** Private-use schemes have no host and stand for themselves. */
function hostsOf(redirectUris: readonly string[]): string {
  const hosts = redirectUris.map((uri) => {
    const { hostname, protocol } = new URL(uri);
    return hostname === "" ? protocol : hostname;
  });
  return [...new Set(hosts)].sort().join(", ");
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((entry, index) => entry === other[index]);
