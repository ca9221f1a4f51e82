import type { Database } from "../../platform/database/connection.ts";

/** The kinds of credentials that an administrator sees. */
export const CREDENTIAL_KINDS = ["session", "api_token", "oauth_grant", "purchase_token"] as const;

/** A credential that is neither revoked nor expired, without its secret. */
export interface ActiveCredential {
  readonly id: string;
  readonly kind: (typeof CREDENTIAL_KINDS)[number];
  /** Browser of a session, name of a token or application, URL of a purchase token. */
  readonly name: string | null;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Number of credentials of each kind that are listed. */
const MAX_PER_KIND = 50;

/** Returns the newest active credentials of an account, at most 50 of each kind. */
export async function listActiveCredentials({ prisma }: Database, accountId: string): Promise<ActiveCredential[]> {
  const now = new Date();
  const newest = { orderBy: { createdAt: "desc" }, take: MAX_PER_KIND } as const;
  const active = { accountId, revokedAt: null, expiresAt: { gt: now } };
  const [sessions, apiTokens, grants, purchaseTokens] = await Promise.all([
    prisma.session.findMany({ where: active, ...newest }),
    prisma.apiToken.findMany({
      where: { accountId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      ...newest,
    }),
    prisma.oAuthGrant.findMany({
      where: { accountId, revokedAt: null },
      include: { client: { select: { appName: true } } },
      ...newest,
    }),
    prisma.purchaseToken.findMany({ where: active, ...newest }),
  ]);
  return [
    ...sessions.map(({ id, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
      ...{ id, kind: "session" as const, name: userAgent, scopes: [] },
      ...{ createdAt, lastUsedAt: lastSeenAt, expiresAt },
    })),
    ...apiTokens.map(({ id, name, scopes, createdAt, lastUsedAt, expiresAt }) => ({
      ...{ id, kind: "api_token" as const, name, scopes, createdAt, lastUsedAt, expiresAt },
    })),
    ...grants.map(({ id, client, scopes, createdAt, lastUsedAt }) => ({
      ...{ id, kind: "oauth_grant" as const, name: client.appName, scopes, createdAt, lastUsedAt, expiresAt: null },
    })),
    ...purchaseTokens.map(({ id, merchantUrl, createdAt, expiresAt }) => ({
      ...{ id, kind: "purchase_token" as const, name: withoutQuery(merchantUrl), scopes: [] },
      ...{ createdAt, lastUsedAt: null, expiresAt },
    })),
  ];
}

/** Queries may contain secrets of the merchant. */
const withoutQuery = (url: string) => url.split(/[?#]/)[0] ?? url;
