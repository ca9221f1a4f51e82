/** Freeze of the whole service by an administrator or the operator, and its end. */
import type { ServiceFreeze } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { requireAdministrator, requireReason } from "../administration/administrator.ts";
import { recordAct } from "../administration/record-act.ts";
import { requireReviewer } from "../reviewer.ts";
import type { Viewer } from "../viewer.ts";

interface ServiceFreezeDeps {
  readonly db: Database;
}

/** Wait for statements in progress at each attempt. Short, because new statements wait behind the lock. */
const LOCK_TIMEOUT_MS = 500;
const MAX_ATTEMPTS = 60;
const TIMEOUTS = { maxWait: 10_000, timeout: 20_000 };

/**
 * Freezes the service on all nodes. It is in force for every new statement once committed. Resolves when the statements that began
 * before have ended too, so nothing is reserved afterwards. Idempotent.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | InvalidRequestError}
 */
export async function freezeService(
  { db }: ServiceFreezeDeps,
  viewer: Viewer | null,
  input: { readonly reason: string },
): Promise<ServiceFreeze> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const freeze = await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.serviceFreeze.createMany({ data: [{ reason }], skipDuplicates: true });
    if (count > 0) {
      const change = { before: { isFrozen: false }, after: { isFrozen: true } };
      await recordAct(tx, { actor, action: "service.freeze", reason, subjectType: "service", ...change });
    }
    return await tx.serviceFreeze.findFirstOrThrow();
  }, TIMEOUTS);
  await awaitRunningStatements(db);
  return freeze;
}

/**
 * Ends the freeze of the service. Idempotent. Returns whether it was frozen.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | InvalidRequestError}
 */
export async function unfreezeService(
  { db }: ServiceFreezeDeps,
  viewer: Viewer | null,
  input: { readonly reason: string },
): Promise<boolean> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  return await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.serviceFreeze.deleteMany();
    if (count === 0) return false;
    const change = { before: { isFrozen: true }, after: { isFrozen: false } };
    await recordAct(tx, { actor, action: "service.unfreeze", reason, subjectType: "service", ...change });
    return true;
  }, TIMEOUTS);
}

/** Returns the freeze of the service; null if it is not frozen. @throws {UnauthorizedError | ForbiddenError} */
export async function findServiceFreeze(
  { db }: ServiceFreezeDeps,
  viewer: Viewer | null,
): Promise<ServiceFreeze | null> {
  requireReviewer(viewer);
  return await db.prisma.serviceFreeze.findFirst();
}

/**
 * Waits until every transaction that read `service_freeze` before has ended. A statement locks the tables that it reads, and
 * acquires its snapshot afterwards.
 */
async function awaitRunningStatements({ prisma }: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await prisma.$transaction(async (tx) => {
        await tx.$executeRawUnsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await tx.$executeRaw`LOCK TABLE service_freeze IN ACCESS EXCLUSIVE MODE`;
      }, TIMEOUTS);
      return;
    } catch (error) {
      // The freeze is in force meanwhile. Only the end of a long transaction is awaited.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
