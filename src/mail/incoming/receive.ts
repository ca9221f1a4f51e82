/** Takes a message that lies in the spool for each of its mailboxes: read once, stored whole, then announced. */
import { publishMail } from "../mail-events.ts";
import { isAllowed } from "../rules.ts";
import { isBlocked, type Recipient } from "./admit.ts";
import type { IncomingMailDeps } from "./deps.ts";
import type { Envelope } from "./incoming-message.ts";
import { senderRefused, tooManyHops } from "./refusal.ts";
import type { SpooledMessage } from "./spool.ts";
import { type ReadMessage, storeMessage } from "./store-message.ts";

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
  const takers = recipients.filter((mailbox) => takes(mailbox, read));
  deps.metrics.count("refused", recipients.length - takers.length);
  if (takers.length === 0) throw senderRefused();
  const messageIds: string[] = [];
  for (const mailbox of takers) {
    const stored = await storeMessage(deps.db, mailbox, read);
    if (!stored) continue;
    messageIds.push(stored.messageId);
    publishMail(deps.pubsub, mailbox.accountId, stored.messageId);
    if (stored.bouncedMessageId !== null) publishMail(deps.pubsub, mailbox.accountId, stored.bouncedMessageId);
  }
  const duplicates = takers.length - messageIds.length;
  deps.metrics.count("stored", messageIds.length);
  deps.metrics.count("duplicate", duplicates);
  deps.metrics.observeSeconds((performance.now() - startedMs) / 1_000);
  return { messageIds, duplicates };
}

/** Now that it says who wrote it. A name that is provably borrowed opens no door, and reports of failures need none. */
function takes({ rules }: Recipient, { message, authentication }: ReadMessage): boolean {
  const { address } = message.from;
  if (address !== "" && isBlocked(rules, address)) return false;
  if (message.deliveryFailure !== null || rules.every(({ action }) => action !== "allow")) return true;
  return address !== "" && authentication.dmarcResult !== "fail" && isAllowed(rules, address);
}
