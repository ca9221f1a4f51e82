/** Byte quotas of stored mail. `mail_usage` counts bytes by mailbox and sending host; a trigger subtracts those of deleted messages. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { networkOf } from "../../platform/http/client-address.ts";
import type { IncomingLimits } from "./deps.ts";
import type { IncomingMessage } from "./incoming-message.ts";
import { hostFull, mailboxFull } from "./refusal.ts";

/** A larger message is counted alone among those of its host. */
const LARGE_BYTES = 262_144n;
/** More than smaller messages that are stored at the same time can have together. */
const CONCURRENT_BYTES = 256n * LARGE_BYTES;

export interface Usage {
  readonly mailboxId: string;
  /** An IPv4 address or an IPv6 /64; empty if unknown. */
  readonly hostNetwork: string;
  readonly bytes: bigint;
}

/** Returns what a message counts: its raw form, its attachments and its text. */
export function measureUsage(
  mailboxId: string,
  { message, remoteAddress, sizeBytes }: { message: IncomingMessage; remoteAddress: string | null; sizeBytes: number },
): Usage {
  const texts = [message.bodyText, message.extractedText, message.quotedText, message.bodyHtml, message.hiddenText];
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);
  const fileBytes = message.attachments.reduce((sum, file) => sum + file.sizeBytes, 0);
  return {
    mailboxId,
    hostNetwork: remoteAddress === null ? "" : networkOf(remoteAddress),
    bytes: BigInt(sizeBytes + textBytes + fileBytes),
  };
}

/**
 * Counts a message that `tx` stores. `tx` holds the mailbox lock, so the mailbox's quota is exact.
 * @throws {MailRefusedError} temporary, when a quota would be exceeded; nothing is counted
 */
export async function countUsage(
  tx: Prisma.TransactionClient,
  { mailboxId, hostNetwork, bytes }: Usage,
  { mailboxQuotaBytes, hostQuotaBytes }: IncomingLimits,
): Promise<void> {
  const limits = { mailbox: BigInt(mailboxQuotaBytes), host: BigInt(hostQuotaBytes) };
  const lockHost = () =>
    tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`mail-host:${hostNetwork}`}, 0))`;
  // Small messages of one host to several mailboxes are counted concurrently while they cannot exceed its quota together.
  const isSmall = bytes <= LARGE_BYTES;
  if (hostNetwork !== "" && !isSmall) await lockHost();
  const count = async (reservedBytes: bigint) => {
    const [result] = await tx.$queryRaw<{ isHostFull: boolean; isMailboxFull: boolean; isCounted: boolean }[]>`
    WITH used AS (
      SELECT coalesce(sum(bytes) FILTER (WHERE mailbox_id = ${mailboxId}), 0) + ${bytes}::bigint AS mailbox_bytes,
        CASE WHEN ${hostNetwork} = '' THEN 0
          ELSE coalesce(sum(bytes) FILTER (WHERE host_network = ${hostNetwork}), 0) + ${bytes}::bigint END AS host_bytes
      FROM mail_usage WHERE mailbox_id = ${mailboxId} OR host_network = ${hostNetwork}
    ), counted AS (
      INSERT INTO mail_usage AS u (mailbox_id, host_network, bytes)
      SELECT ${mailboxId}, ${hostNetwork}, ${bytes}::bigint FROM used
      WHERE mailbox_bytes <= ${limits.mailbox}::bigint
        AND (${hostNetwork} = '' OR host_bytes + ${reservedBytes}::bigint <= ${limits.host}::bigint)
      ON CONFLICT (mailbox_id, host_network) DO UPDATE SET bytes = u.bytes + excluded.bytes
      RETURNING 1
    )
    SELECT host_bytes > ${limits.host}::bigint AS "isHostFull", mailbox_bytes > ${limits.mailbox}::bigint AS "isMailboxFull",
      EXISTS (SELECT FROM counted) AS "isCounted" FROM used`;
    if (result?.isMailboxFull) throw mailboxFull();
    if (result?.isHostFull) throw hostFull();
    return result?.isCounted === true;
  };
  if (await count(isSmall ? CONCURRENT_BYTES : 0n)) return;
  await lockHost();
  await count(0n);
}

/**
 * Refuses a message to a full mailbox before its content is stored. The count when it is stored decides.
 * @throws {MailRefusedError} temporary
 */
export async function requireSpace(
  { prisma }: Database,
  { mailboxId, bytes }: Usage,
  { mailboxQuotaBytes }: IncomingLimits,
): Promise<void> {
  if (bytes <= LARGE_BYTES) return;
  const { _sum } = await prisma.mailUsage.aggregate({ where: { mailboxId }, _sum: { bytes: true } });
  if ((_sum.bytes ?? 0n) + bytes > BigInt(mailboxQuotaBytes)) throw mailboxFull();
}
