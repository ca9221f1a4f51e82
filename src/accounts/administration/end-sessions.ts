import type { Prisma } from "../../../generated/prisma/client.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";
import { ENDED_SESSIONS } from "../sessions.ts";
import type { Viewer } from "../viewer.ts";
import { requireAdministrator, requireReason } from "./administrator.ts";
import { type AdministrationDeps, performAct } from "./perform-act.ts";
import { requireSubject } from "./subject-account.ts";

/** Input of acts on an account. */
export interface AccountActInput {
  readonly accountId: string;
  readonly reason: string;
  /** The proposal that this call confirms, if two administrators are required. */
  readonly proposalId?: string | null;
}

/**
 * Revokes all sessions of an account and closes their open connections.
 * @returns the number of revoked sessions
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | SecondAdministratorRequiredError}
 * @throws {InvalidRequestError | NotFoundError}
 */
export async function endAccountSessions(
  deps: AdministrationDeps & { readonly pubsub: PubSub },
  viewer: Viewer | null,
  input: AccountActInput,
): Promise<number> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { accountId, proposalId = null } = input;
  await requireSubject(deps, accountId);
  const act = {
    ...{ actor, action: "accounts.end_sessions" as const, reason, proposalId, input: { accountId } },
    ...{ subjectAccountId: accountId, subjectType: "account", subjectId: accountId },
  };
  const ended = await performAct(deps, act, async (tx) => {
    const result = await revokeSessions(tx, accountId);
    return { result, before: { activeSessions: result.length }, after: { activeSessions: 0 } };
  });
  for (const id of ended) deps.pubsub.publish(ENDED_SESSIONS, id);
  return ended.length;
}

/**
 * Revokes all sessions of an account, whose browsers are unknown from then on. Returns the sessions' ids, for `ENDED_SESSIONS`
 * after the commit.
 */
export async function revokeSessions(tx: Prisma.TransactionClient, accountId: string): Promise<string[]> {
  await tx.account.update({ where: { id: accountId }, data: { browserGeneration: { increment: 1 } } });
  const rows = await tx.$queryRaw<{ id: string }[]>`UPDATE sessions SET revoked_at = now(), previous_token_hash = NULL
    WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL AND expires_at > now() RETURNING id`;
  return rows.map(({ id }) => id);
}
