import type { Database } from "../../platform/database/connection.ts";
import type { MailDeps } from "../../platform/email/email-queue.ts";
import type { Logger } from "../../platform/observability/logger.ts";

export interface NotifyDeps extends Pick<MailDeps, "queueEmail"> {
  readonly db: Database;
  readonly logger: Pick<Logger, "error">;
  readonly adminEmails: readonly string[];
  readonly dashboardUrl: string;
}

/** Differences in one notification. The others follow in the next run. */
const MAX_BATCH = 100;
/** Each administrator receives at most one email in this interval. */
const EMAIL_INTERVAL_MS = 3_600_000;

/**
 * Logs each new difference at level error, and queues an email to each administrator. If the process ends before, the next run
 * repeats it.
 */
export async function notifyDifferences({
  db,
  logger,
  queueEmail,
  adminEmails,
  dashboardUrl,
}: NotifyDeps): Promise<void> {
  const rows = await db.prisma.chainDifference.findMany({
    where: { notifiedAt: null, resolvedAt: null },
    orderBy: [{ foundAt: "asc" }, { id: "asc" }],
    take: MAX_BATCH,
  });
  const [first] = rows;
  if (!first) return;
  for (const { id, kind, network, walletId, asset, txHash, transactionId, chainAtomic, ledgerAtomic } of rows) {
    const amounts = { chainAtomic: chainAtomic.toFixed(0), ledgerAtomic: ledgerAtomic.toFixed(0) };
    logger.error(
      { differenceId: id, kind, network, walletId, asset, txHash, transactionId, ...amounts },
      "Chain and ledger differ",
    );
  }
  const subject = "Satchel: the chain and the ledger differ";
  const text = [
    `The chain audit found ${rows.length === 1 ? "a difference" : `${rows.length} differences`} between a chain and the ledger.`,
    `The first is on ${first.network}, in the wallet ${first.walletId}.`,
    `See all of them: ${dashboardUrl}/admin\n`,
  ].join("\n\n");
  for (const to of adminEmails) {
    const idempotencyKey = `chain-difference:${to}:${Math.floor(Date.now() / EMAIL_INTERVAL_MS)}`;
    await queueEmail({ to, subject, text, idempotencyKey }).catch((error: unknown) =>
      logger.error({ err: error }, "Email about chain differences was not queued"),
    );
  }
  await db.prisma.chainDifference.updateMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    data: { notifiedAt: new Date() },
  });
}
