/**
 * Parses stored raw messages again after the parser has changed. Each message is one transaction, and its `parser_version` is the
 * progress, so an interrupted run continues. What follows from arrival remains: authentication, thread, reports' effects and events.
 */
import type { MailAttachment, MailMessage, Prisma } from "../../../generated/prisma/client.ts";
import { SealBrokenError } from "../../platform/crypto/sealing/sealed-box.ts";
import type { Statement } from "../../platform/database/connection.ts";
import type { MailSealer } from "../mail-vault.ts";
import { readRawMessage } from "../raw-message.ts";
import type { IncomingMailDeps } from "./deps.ts";
import type { IncomingMessage, SpooledAttachment } from "./incoming-message.ts";
import { PARSER_VERSION } from "./parser-version.ts";
import { storeAttachment, toContentColumns, toStoredReport } from "./store-message.ts";

const BATCH_SIZE = 20;
/** Of one run, so that other jobs of the node are not delayed for long. */
const MAX_MESSAGES = 1_000;
/** Long enough for 35 MB on a slow disk. */
const TRANSACTION = { timeout: 120_000, maxWait: 30_000 };

type ReparseDeps = Pick<IncomingMailDeps, "db" | "mailVault" | "spool" | "reader" | "logger">;
type StoredRow = Pick<MailMessage, "id" | "accountId" | "sizeBytes" | "envelopeFrom">;

const NEXT: Statement = {
  name: "next-mail-to-reparse",
  text: `SELECT id, account_id AS "accountId", size_bytes AS "sizeBytes", envelope_from AS "envelopeFrom" FROM mail_messages
    WHERE parser_version < $1 ORDER BY parser_version, id LIMIT ${BATCH_SIZE}`,
};

/** Parses up to 1,000 messages. Returns their number. */
export async function reparseMessages(deps: ReparseDeps): Promise<number> {
  let count = 0;
  while (count < MAX_MESSAGES) {
    const rows = await deps.db.query<StoredRow>(NEXT, [PARSER_VERSION]);
    for (const row of rows) await reparseMessage(deps, row);
    count += rows.length;
    if (rows.length < BATCH_SIZE) break;
  }
  return count;
}

async function reparseMessage(deps: ReparseDeps, row: StoredRow): Promise<void> {
  const { db, mailVault, logger } = deps;
  try {
    const spooled = await deps.spool.write(readRawMessage(deps, row), { maxBytes: row.sizeBytes });
    try {
      const message = await deps.reader.parse(spooled, row.envelopeFrom ?? "").catch((error: unknown) => {
        logger.warn({ err: error, messageId: row.id }, "Message could not be parsed again; unchanged");
        return null;
      });
      if (message === null) return await skip(deps, row);
      const sealer = await mailVault.sealerOf(row.accountId);
      await db.prisma.$transaction((tx) => replaceContent(tx, sealer, row.id, message), TRANSACTION);
    } finally {
      await spooled.remove();
    }
  } catch (error) {
    // Deleted or damaged meanwhile. Other errors concern the database or the disk: the next run retries.
    if (!(error instanceof SealBrokenError)) throw error;
    logger.error({ err: error, messageId: row.id }, "Raw message does not open; message unchanged");
    await skip(deps, row);
  }
}

/** Marks the message as parsed. What was read before is better than nothing. */
async function skip({ db }: ReparseDeps, { id }: StoredRow): Promise<void> {
  await db.prisma.mailMessage.updateMany({ where: { id }, data: { parserVersion: PARSER_VERSION } });
}

async function replaceContent(
  tx: Prisma.TransactionClient,
  sealer: MailSealer,
  id: string,
  message: IncomingMessage,
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM mail_messages WHERE id = ${id} FOR UPDATE`;
  const stored = await tx.mailMessage.findUnique({ where: { id }, include: { attachments: true } });
  if (!stored || (stored.parserVersion ?? PARSER_VERSION) >= PARSER_VERSION) return;
  const { isVerified = false } = (stored.report ?? {}) as { isVerified?: boolean };
  await tx.mailMessage.update({
    where: { id },
    // `updatedAt` remains: nothing happened that a client is notified of.
    data: {
      ...toContentColumns(message),
      ...(await toAuthor(tx, stored, message)),
      ...(message.report === null ? {} : { report: toStoredReport(message.report, isVerified) }),
    },
  });
  await replaceAttachments(tx, sealer, stored, message.attachments);
}

/** Returns the author as read now. A DMARC pass is of the author that was checked, so another one has none. */
async function toAuthor(tx: Prisma.TransactionClient, stored: MailMessage, { from, authors }: IncomingMessage) {
  const authentication = { ...(stored.authentication as object | null), authors: [...authors] };
  const { id, mailboxId, direction, messageIdHeader } = stored;
  if (from.address === stored.fromAddress) return { authentication };
  const where = { mailboxId, direction, messageIdHeader, fromAddress: from.address, id: { not: id } };
  if ((await tx.mailMessage.count({ where })) > 0) return { authentication };
  const dmarcResult = stored.dmarcResult === "pass" ? "permerror" : stored.dmarcResult;
  return { authentication, fromAddress: from.address, dmarcResult };
}

/** Attachments with the same content retain their ids and bytes. */
async function replaceAttachments(
  tx: Prisma.TransactionClient,
  sealer: MailSealer,
  { id: messageId, accountId, attachments }: MailMessage & { readonly attachments: readonly MailAttachment[] },
  found: readonly SpooledAttachment[],
): Promise<void> {
  const left = new Set(attachments);
  for (const file of found) {
    const same = [...left].filter(({ sha256 }) => Buffer.from(sha256).toString("hex") === file.sha256);
    const known = same.find(({ filename }) => filename === file.filename) ?? same[0];
    const { filename, contentType, contentId, isInline } = file;
    const id = known?.id ?? (await storeAttachment(tx, sealer, accountId, file));
    if (known) left.delete(known);
    await tx.mailAttachment.update({ where: { id }, data: { messageId, filename, contentType, contentId, isInline } });
  }
  await tx.mailAttachment.deleteMany({ where: { id: { in: [...left].map(({ id }) => id) } } });
}
