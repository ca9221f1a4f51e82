/** Takes a message that lies in the spool for each of its mailboxes: read once, stored whole, then announced. */
import { publishMail } from "../mail-events.ts";
import { verdictOf } from "../reading/verdict.ts";
import { isAllowed } from "../rules.ts";
import { isBlocked, type Recipient } from "./admit.ts";
import type { IncomingMailDeps } from "./deps.ts";
import type { Envelope } from "./incoming-message.ts";
import { senderRefused, senderUnknown, tooManyHops } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";
import { checked, type ReadMessage, storeMessage } from "./store-message.ts";

/** RFC 5321 section 6.3: servers count on at least this many. */
const MAX_HOPS = 100;

export interface Received {
  /** Ids of the messages, of each mailbox that had it not yet. */
  readonly messageIds: readonly string[];
  /** How many mailboxes had it already. */
  readonly duplicates: number;
}

/**
 * Resolves when it is committed for every mailbox that takes it. Doing so again changes nothing.
 * @throws {MailRefusedError} none of the mailboxes takes it
 */
export async function receiveMessage(
  deps: IncomingMailDeps,
  { envelope, recipients, spooled }: { envelope: Envelope; recipients: readonly Recipient[]; spooled: SpooledMessage },
): Promise<Received> {
  const startedMs = performance.now();
  const { message, authentication, hops } = await deps.reader.read(spooled, envelope);
  if (hops > MAX_HOPS) throw tooManyHops();
  const read: ReadMessage = { message, authentication, envelope, spooled };
  const takers: Recipient[] = [];
  for (const mailbox of recipients) if (await takes(deps, mailbox, read)) takers.push(mailbox);
  deps.metrics.count("refused", recipients.length - takers.length);
  if (takers.length === 0) throw senderRefused();
  const messageIds: string[] = [];
  for (const mailbox of takers) {
    const stored = await storeMessage(deps.db, mailbox, read);
    if (!stored) continue;
    messageIds.push(stored.messageId);
    publishMail(deps.pubsub, mailbox.accountId, stored.messageId);
    for (const movedId of stored.movedIds) publishMail(deps.pubsub, mailbox.accountId, movedId);
  }
  const duplicates = takers.length - messageIds.length;
  deps.metrics.count("stored", messageIds.length);
  deps.metrics.count("duplicate", duplicates);
  deps.metrics.observeSeconds((performance.now() - startedMs) / 1_000);
  return { messageIds, duplicates };
}

/**
 * Now that it says who wrote it. Where only some may write, a name that may be borrowed opens no door, and of reports of failures
 * only those about what the mailbox sent need none.
 * @throws {MailRefusedError} for now: whether it is borrowed could not be found out
 */
async function takes({ db }: IncomingMailDeps, { id, rules }: Recipient, read: ReadMessage): Promise<boolean> {
  const { from, deliveryFailure } = read.message;
  if (from.address !== "" && isBlocked(rules, from.address)) return false;
  if (rules.every(({ action }) => action !== "allow")) return true;
  if (deliveryFailure && (await hasSent(db, id, deliveryFailure.messageIdHeader))) return true;
  if (from.address === "" || !isAllowed(rules, from.address)) return false;
  const verdict = verdictOf(checked(read));
  const { dmarcResult } = read.authentication;
  // A domain that asks for nothing (no DMARC) is taken at its word, unless it disowns the message; where nothing was or could be
  // found out, the message may be made so that it cannot be.
  if (verdict === "authentic" || (dmarcResult === "none" && verdict !== "suspicious")) return true;
  if (dmarcResult === "temperror") throw senderUnknown();
  return false;
}

async function hasSent({ prisma }: IncomingMailDeps["db"], mailboxId: string, messageIdHeader: string) {
  return (await prisma.mailMessage.count({ where: { mailboxId, direction: "outbound", messageIdHeader } })) > 0;
}
