/** Login identity tokens as a credential: for making purchase tokens, on the one route that takes them (spec sections 4.1 and 5). */
import { randomUUID } from "node:crypto";
import { type LoginTokenDeps, verifyLoginToken } from "./login-token.ts";
import type { AccountViewer } from "./viewer.ts";

/**
 * Whose login identity token is in `Authorization: Bearer`; null for anything else, an API token of this service too.
 * @param networks every network: a person may pay on all of them
 */
export async function authenticateLoginToken(
  deps: LoginTokenDeps,
  authorization: string | string[] | undefined,
  networks: readonly string[],
): Promise<AccountViewer | null> {
  const [, jwt] = /^Bearer +(\S+)$/i.exec(typeof authorization === "string" ? authorization : "") ?? [];
  const accountId = jwt === undefined ? null : await verifyLoginToken(deps, jwt);
  if (accountId === null) return null;
  const account = await deps.db.prisma.account.findUnique({ where: { id: accountId }, include: { credit: true } });
  if (!account) return null;
  return {
    kind: "account",
    accountId,
    // Nothing is stored of it, so nothing can be looked up under this.
    credentialId: `login_${randomUUID()}`,
    credentialKind: "login_token",
    budgetId: accountId,
    budgetIds: [accountId],
    scopes: ["payments:sign", "account:manage"],
    strictScopes: account.strictScopes,
    rules: { networks, allowedHosts: [], allowedPayees: [], merchantUrl: null },
    x402Enabled: account.x402EnabledAt !== null,
    creditMicroUsd: account.credit?.availableMicroUsd ?? 0n,
    expiresAtMs: null,
    isAdministrator: false,
    authenticatedAtMs: null,
  };
}
