/** Jobs of exports: writing archives, and deleting expired ones. */
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { AccountExport } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { PersonalDataDeps } from "../deps.ts";
import { PLAN } from "../plan.ts";
import { type Columns, countRows, readColumns } from "../table-rows.ts";
import { readEntries } from "./archive-entries.ts";
import { publishExport } from "./export-events.ts";
import { storeArchive } from "./sealed-archive.ts";
import { writeTar } from "./tar.ts";

const MAX_ATTEMPTS = 5;
const DELETE_BATCH = 100;
/** The wait after a failed attempt, and the time after which another node continues for a crashed one. */
const LEASE = "interval '2 minutes'";

const CLAIM: Statement = {
  name: "claim-account-export",
  text: `UPDATE account_exports SET status = 'running', attempt = attempt + 1, rows_done = 0, rows_total = NULL,
      leased_until = now() + ${LEASE}, updated_at = now()
    WHERE id = (SELECT id FROM account_exports WHERE ended_at IS NULL AND (leased_until IS NULL OR leased_until < now())
      ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};
const PROGRESS: Statement = {
  name: "progress-account-export",
  text: `UPDATE account_exports SET rows_total = $3, rows_done = $4, leased_until = now() + ${LEASE}, updated_at = now()
    WHERE id = $1 AND attempt = $2 AND ended_at IS NULL RETURNING id`,
};
const END: Statement = {
  name: "end-account-export",
  text: `UPDATE account_exports SET status = $3, size_bytes = $4, leased_until = NULL, ended_at = now(), updated_at = now(),
      expires_at = now() + make_interval(days => $5::int)
    WHERE id = $1 AND attempt = $2 AND ended_at IS NULL RETURNING id`,
};
const DELETE_CHUNKS: Statement = {
  name: "delete-export-chunks",
  text: "DELETE FROM account_export_chunks WHERE export_id = $1 AND attempt < $2",
};

/** Another attempt of the export has started, or the export was deleted. */
class SupersededError extends Error {}

export type RunExportsDeps = Pick<PersonalDataDeps, "db" | "keks" | "pubsub" | "logger" | "personalData">;

/** Job: writes the archives of all requested exports. An interrupted export starts again after its lease. */
export async function runExports(deps: RunExportsDeps): Promise<void> {
  for (;;) {
    const [claimed] = await deps.db.query<{ id: string }>(CLAIM, []);
    const row = claimed && (await deps.db.prisma.accountExport.findUnique({ where: { id: claimed.id } }));
    if (!row) return;
    try {
      await writeExport(deps, row);
    } catch (error) {
      if (error instanceof SupersededError) continue;
      deps.logger.error({ err: error, exportId: row.id }, "Export failed");
      // Otherwise the next attempt starts when the lease ends.
      if (row.attempt >= MAX_ATTEMPTS) await endExport(deps, row, "failed", null);
    }
  }
}

/** Job: deletes expired exports with their content. */
export async function deleteExpiredExports(db: Database): Promise<void> {
  for (;;) {
    const where = { expiresAt: { lt: new Date() } };
    const old = await db.prisma.accountExport.findMany({ where, select: { id: true }, take: DELETE_BATCH });
    await db.prisma.accountExport.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
    if (old.length < DELETE_BATCH) return;
  }
}

async function writeExport(deps: RunExportsDeps, row: AccountExport): Promise<void> {
  const { db, pubsub } = deps;
  const { id, accountId, attempt } = row;
  await db.query(DELETE_CHUNKS, [id, attempt]);
  const columns = await readColumns(db);
  const rowsTotal = await countExportedRows(db, accountId);
  let rowsDone = 0;
  const onRows = async (count: number) => {
    rowsDone += count;
    const [current] = await db.query(PROGRESS, [id, attempt, rowsTotal, rowsDone]);
    if (!current) throw new SupersededError();
    publishExport(pubsub, accountId, id);
  };
  await onRows(0);
  const sizeBytes = await storeArchive(deps, row, compress(deps, row, columns, onRows));
  await endExport(deps, row, "completed", sizeBytes);
}

async function* compress(
  deps: RunExportsDeps,
  { accountId, createdAt }: AccountExport,
  columns: Columns,
  onRows: (count: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const tar = Readable.from(writeTar(readEntries(deps, accountId, columns, { onRows }), createdAt), {
    objectMode: false,
  });
  const gzip = createGzip();
  tar.on("error", (error) => gzip.destroy(error));
  yield* tar.pipe(gzip);
}

async function countExportedRows(db: Database, accountId: string): Promise<number> {
  let rows = 0;
  for (const plan of PLAN) if (plan.exported.length > 0) rows += await countRows(db, plan, accountId);
  return rows;
}

async function endExport(
  { db, pubsub, personalData }: RunExportsDeps,
  { id, accountId, attempt }: AccountExport,
  status: "completed" | "failed",
  sizeBytes: bigint | null,
): Promise<void> {
  const ended = await db.query(END, [id, attempt, status, sizeBytes, personalData.exportDays]);
  if (ended.length > 0) publishExport(pubsub, accountId, id);
}
