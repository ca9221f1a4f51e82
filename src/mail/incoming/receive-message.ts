/** Receives a spooled message: parses it once, stores it in each accepting mailbox, and publishes it. */
import { publishMail } from "../mail-events.ts";
import { determineVerdict } from "../reading/verdict.ts";
import { isAllowed } from "../rules.ts";
import { isBlocked, type Recipient } from "./admit.ts";
import type { IncomingMailDeps } from "./deps.ts";
import type { Envelope } from "./incoming-message.ts";
import { senderRefused, senderUnknown, tooManyHops } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";
import { type ReadMessage, storeMessage, toCheckedMessage } from "./store-message.ts";

/** The minimum that RFC 5321 section 6.3 permits for loop detection. */
const MAX_HOPS = 100;

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
  const read: ReadMessage = { message, authentication, envelope, spooled };
  const accepting: Recipient[] = [];
  for (const mailbox of recipients) if (await acceptsMessage(deps, mailbox, read)) accepting.push(mailbox);
  deps.metrics.count("refused", recipients.length - accepting.length);
  if (accepting.length === 0) throw senderRefused();
  const messageIds: string[] = [];
  for (const mailbox of accepting) {
    const stored = await storeMessage(deps.db, mailbox, read);
    if (!stored) continue;
    messageIds.push(stored.messageId);
    publishMail(deps.pubsub, mailbox.accountId, stored.messageId);
    for (const changedId of stored.changedIds) publishMail(deps.pubsub, mailbox.accountId, changedId);
  }
  const duplicates = accepting.length - messageIds.length;
  deps.metrics.count("stored", messageIds.length);
  deps.metrics.count("duplicate", duplicates);
  deps.metrics.observeSeconds((performance.now() - startedMs) / 1_000);
  return { messageIds, duplicates };
}

/**
 * Applies the mailbox's rules to the author in From. An allow rule needs an authenticated author, because From can be forged.
 * Delivery reports on the mailbox's own messages are accepted without a rule.
 *
 * @throws {MailRefusedError} temporary, when the author could not be authenticated because of a DNS failure
 */
async function acceptsMessage({ db }: IncomingMailDeps, { id, rules }: Recipient, read: ReadMessage): Promise<boolean> {
  const { from, deliveryFailure } = read.message;
  if (from.address !== "" && isBlocked(rules, from.address)) return false;
  if (rules.every(({ action }) => action !== "allow")) return true;
  if (deliveryFailure && (await hasSent(db, id, deliveryFailure.messageIdHeader))) return true;
  if (from.address === "" || !isAllowed(rules, from.address)) return false;
  const verdict = determineVerdict(toCheckedMessage(read));
  const { dmarcResult } = read.authentication;
  // Without a DMARC record, From is accepted unless SPF failed without a DKIM pass. `permerror` is refused: a forger may have
  // caused it.
  if (verdict === "authentic" || (dmarcResult === "none" && verdict !== "suspicious")) return true;
  if (dmarcResult === "temperror") throw senderUnknown();
  return false;
}

async function hasSent({ prisma }: IncomingMailDeps["db"], mailboxId: string, messageIdHeader: string) {
  return (await prisma.mailMessage.count({ where: { mailboxId, direction: "outbound", messageIdHeader } })) > 0;
}
