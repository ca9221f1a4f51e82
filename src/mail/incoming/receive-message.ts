/** Receives a spooled message: parses it once, stores it in each accepting mailbox, and publishes it. */
import { readReturnPath } from "../deliveries/return-path.ts";
import { publishDelivery, publishMail } from "../mail-events.ts";
import { determineVerdict } from "../reading/verdict.ts";
import { isAllowed } from "../rules.ts";
import { isBlocked, type Recipient } from "./admit.ts";
import type { IncomingMailDeps } from "./deps.ts";
import type { Authentication, Envelope } from "./incoming-message.ts";
import { MAX_HOPS, senderRefused, senderUnknown, tooLargeUnproven, tooManyHops } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";
import { type ReadMessage, storeMessage, toCheckedMessage } from "./store-message.ts";

export interface ReceiveResult {
  /** Ids of the stored messages, one for each mailbox that did not have it. */
  readonly messageIds: readonly string[];
  /** The number of mailboxes that already had the message. */
  readonly duplicates: number;
}

/**
 * Stores the message. Resolves when it is committed for every mailbox that accepts it. Idempotent.
 *
 * @throws {MailRefusedError} when no mailbox accepts it, it has too many hops, or the sender cannot be authenticated now
 */
export async function receiveMessage(
  deps: IncomingMailDeps,
  { envelope, recipients, spooled }: { envelope: Envelope; recipients: readonly Recipient[]; spooled: SpooledMessage },
): Promise<ReceiveResult> {
  const startedMs = performance.now();
  const { message, authentication, hops } = await deps.reader.read(spooled, envelope);
  if (hops > MAX_HOPS) throw tooManyHops();
  refuseLargeUnproven(spooled.sizeBytes, authentication, deps.limits.maxUnprovenBytes);
  const read: ReadMessage = { message, authentication, envelope, spooled };
  const accepting: Recipient[] = [];
  for (const mailbox of recipients) if (await acceptsMessage(deps, mailbox, read)) accepting.push(mailbox);
  deps.metrics.count("refused", recipients.length - accepting.length);
  if (accepting.length === 0) throw senderRefused();
  const messageIds: string[] = [];
  for (const mailbox of accepting) {
    const returnKey = mailbox.returnKey ?? (await findReturnKey(deps, mailbox, read));
    const stored = await storeMessage(deps, { ...mailbox, returnKey }, read);
    if (!stored) continue;
    messageIds.push(stored.messageId);
    publishMail(deps.pubsub, mailbox.accountId, stored.messageId);
    for (const changedId of stored.changedIds) publishMail(deps.pubsub, mailbox.accountId, changedId);
    if (stored.changedDelivery) publishDelivery(deps.pubsub, mailbox.accountId, stored.changedDelivery.id);
  }
  const duplicates = accepting.length - messageIds.length;
  deps.metrics.count("stored", messageIds.length);
  deps.metrics.count("duplicate", duplicates);
  deps.metrics.observeSeconds((performance.now() - startedMs) / 1_000);
  return { messageIds, duplicates };
}

/** @throws {MailRefusedError} temporary if name servers did not respond */
function refuseLargeUnproven(
  sizeBytes: number,
  { dmarcResult, spfResult }: Authentication,
  maxUnprovenBytes: number,
): void {
  if (sizeBytes <= maxUnprovenBytes || dmarcResult === "pass" || spfResult === "pass") return;
  throw [dmarcResult, spfResult].includes("temperror") ? senderUnknown() : tooLargeUnproven(maxUnprovenBytes);
}

/** Reports of mail servers. Read receipts and complaints come from persons, so the rules apply to them. */
const SERVER_REPORTS: readonly string[] = ["bounce", "delivery_delay", "delivery_receipt"];

/**
 * Applies the mailbox's rules to the author in From. An allow rule needs an authenticated author, because From can be forged.
 * Reports to a valid return path, and those of servers on the mailbox's own messages, are accepted without a rule.
 *
 * @throws {MailRefusedError} temporary, when the author could not be authenticated because of a DNS failure
 */
async function acceptsMessage(
  { db }: IncomingMailDeps,
  { id, rules, returnKey }: Recipient,
  read: ReadMessage,
): Promise<boolean> {
  const { from, authors, report } = read.message;
  if ([from.address, ...authors].some((author) => author !== "" && isBlocked(rules, author))) return false;
  if (rules.every(({ action }) => action !== "allow")) return true;
  if (report && returnKey !== null) return true;
  if (report && SERVER_REPORTS.includes(report.kind) && (await hasSent(db, id, report.originalIds))) return true;
  if (from.address === "" || !isAllowed(rules, from.address)) return false;
  const verdict = determineVerdict(toCheckedMessage(read));
  const { dmarcResult } = read.authentication;
  // Without a DMARC record, From is accepted unless SPF failed without a DKIM pass. `permerror` is refused: a forger may have
  // caused it.
  if (verdict === "authentic" || (dmarcResult === "none" && verdict !== "suspicious")) return true;
  if (dmarcResult === "temperror") throw senderUnknown();
  return false;
}

async function hasSent({ prisma }: IncomingMailDeps["db"], mailboxId: string, messageIds: readonly string[]) {
  const where = { mailboxId, direction: "outbound", messageIdHeader: { in: [...messageIds] } };
  return (await prisma.mailMessage.count({ where })) > 0;
}

/** Returns the key of a return path that a complaint names: feedback loops send it to another address (RFC 5965 section 3.2). */
async function findReturnKey(
  { deriveIdentifier }: IncomingMailDeps,
  { accountId }: Recipient,
  { message }: ReadMessage,
) {
  if (message.report?.kind !== "complaint") return null;
  for (const address of message.report.returnPaths) {
    const key = await readReturnPath(deriveIdentifier, accountId, address);
    if (key !== null) return key;
  }
  return null;
}
