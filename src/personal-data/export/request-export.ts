/** Requests an export of the account and finds its archive. Both require a session with a recent proof of identity. */
import type { AccountExport } from "../../../generated/prisma/client.ts";
import { requireRecentProof } from "../../accounts/recent-proof.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { createDataKey } from "../../platform/crypto/sealing/wrapped-key.ts";
import { NotFoundError, ServiceError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { PersonalDataDeps } from "../deps.ts";
import { SEALED_EXPORTS } from "./sealed-archive.ts";

/** Archives are stored in the database, so an account has few. */
const MAX_EXPORTS = 3;

/** The account has an export in progress, or the maximum of stored ones. */
export class ExportLimitError extends ServiceError {
  readonly code = "export_limit";
}

/**
 * Queues an export. A job writes the archive.
 * @throws {ExportLimitError}
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 */
export async function requestExport(
  { db, keks }: Pick<PersonalDataDeps, "db" | "keks">,
  viewer: Viewer | null,
): Promise<AccountExport> {
  const { accountId } = requireRecentProof(viewer);
  const stored = await db.prisma.accountExport.findMany({ where: { accountId }, select: { endedAt: true } });
  if (stored.some(({ endedAt }) => endedAt === null)) throw runningError();
  if (stored.length >= MAX_EXPORTS) {
    throw new ExportLimitError(
      `The account has ${MAX_EXPORTS} exports. No export was started. Download one of them, or wait until one expires.`,
    );
  }
  const id = newId("exp");
  const context = SEALED_EXPORTS.contextOf({ id, accountId });
  const { wrappedDataKey, kekId } = await createDataKey(keks, context);
  const data = { id, accountId, status: "pending", wrappedDataKey, kekId };
  // The unique index decides between concurrent requests.
  const { count } = await db.prisma.accountExport.createMany({ data: [data], skipDuplicates: true });
  if (count === 0) throw runningError();
  return await db.prisma.accountExport.findUniqueOrThrow({ where: { id } });
}

/**
 * Returns a completed export of the viewer's account, for download.
 * @throws {NotFoundError}
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 */
export async function findCompletedExport(
  { db }: Pick<PersonalDataDeps, "db">,
  viewer: Viewer | null,
  id: string,
): Promise<AccountExport & { readonly sizeBytes: bigint }> {
  const { accountId } = requireRecentProof(viewer);
  const where = { id, accountId, status: "completed", expiresAt: { gt: new Date() } };
  const found = await db.prisma.accountExport.findFirst({ where });
  if (!found || found.sizeBytes === null) throw new NotFoundError("Export not found, not complete, or expired.");
  return { ...found, sizeBytes: found.sizeBytes };
}

const runningError = () =>
  new ExportLimitError(
    "An export of the account is in progress. No other export was started. Wait until it completes.",
  );
