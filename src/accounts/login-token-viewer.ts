/**
 * Login identity tokens as a credential for creating purchase tokens, on the only route that accepts them (spec
 * sections 4.1 and 5).
 */
import { randomUUID } from "node:crypto";
import { findFreeze } from "./freeze/freeze-state.ts";
import { type LoginTokenDeps, verifyLoginToken } from "./login-token.ts";
import type { AccountViewer } from "./viewer.ts";

/**
 * Returns the viewer of the login identity token in `Authorization: Bearer`. Returns null for any other credential,
 * including API tokens.
 * @param networks every supported network; the account owner may pay on all of them
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
    // Login tokens are not stored, so this id refers to no row.
    credentialId: `login_${randomUUID()}`,
    credentialKind: "login_token",
    budgetId: accountId,
    budgetIds: [accountId],
    scopes: ["payments:sign", "account:manage"],
    strictScopes: account.strictScopes,
    rules: { networks, allowedHosts: [], allowedPayees: [], merchantUrl: null },
    x402Enabled: account.x402EnabledAt !== null,
    frozenBy: await findFreeze(deps.db, accountId),
    creditMicroUsd: account.credit?.availableMicroUsd ?? 0n,
    expiresAtMs: null,
    isAdministrator: false,
    authenticatedAtMs: null,
  };
}
