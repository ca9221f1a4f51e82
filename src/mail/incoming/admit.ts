/** Admission checks on the SMTP envelope, before any message data is accepted. */
import { RateLimitedError } from "../../platform/errors.ts";
import { readReturnPath } from "../deliveries/return-path.ts";
import { findMailboxByAddress, isActive } from "../mailboxes.ts";
import { isAllowed } from "../rules.ts";
import type { IncomingMailDeps } from "./deps.ts";
import { mailboxClosed, noSuchMailbox, senderRefused, tooManyFromHost, tooManyFromSender } from "./refusal.ts";

/** A recipient's mailbox with its rules. */
export type Recipient = NonNullable<Awaited<ReturnType<typeof findMailboxByAddress>>> & {
  /** The recipient's address in the envelope, with its subaddress. */
  readonly envelopeTo: string;
  /** The key of the delivery whose return path the address is; null for other addresses. */
  readonly returnKey: string | null;
};

const MAX_ADDRESS_LENGTH = 320;

/**
 * Counts a message against the sending host's rate limit.
 * @throws {MailRefusedError} when the limit is exceeded
 */
export async function admitHost({ rateLimiter, limits }: IncomingMailDeps, remoteAddress: string): Promise<void> {
  await refuseWhenLimited(rateLimiter.consume("mail-host", remoteAddress, limits.perHostPerMinute), tooManyFromHost);
}

/**
 * Returns the mailbox of a recipient address.
 *
 * @param sender the envelope sender (MAIL FROM); empty for bounces
 *
 * @throws {MailRefusedError} when the mailbox does not exist or is disabled, blocks the sender, or the rate limit is exceeded
 */
export async function admitRecipient(deps: IncomingMailDeps, sender: string, address: string): Promise<Recipient> {
  const mailbox = await findMailboxByAddress(deps.db, address);
  if (!mailbox) throw noSuchMailbox();
  if (!isActive(mailbox)) throw mailboxClosed();
  // Allow rules are applied later, to the author in the From field.
  if (sender !== "" && isBlocked(mailbox.rules, sender)) throw senderRefused();
  const key = `${mailbox.id} ${sender.toLowerCase()}`;
  await refuseWhenLimited(
    deps.rateLimiter.consume("mail-sender", key, deps.limits.perSenderPerMinute),
    tooManyFromSender,
  );
  const returnKey = await readReturnPath(deps.deriveIdentifier, mailbox.accountId, address);
  return { ...mailbox, envelopeTo: address.slice(0, MAX_ADDRESS_LENGTH), returnKey };
}

/**
 * Counts a message to the operator against the sender's rate limit.
 * @throws {MailRefusedError} when the limit is exceeded
 */
export async function admitToOperator({ rateLimiter, limits }: IncomingMailDeps, sender: string): Promise<void> {
  const key = `operator ${sender.toLowerCase()}`;
  await refuseWhenLimited(rateLimiter.consume("mail-sender", key, limits.perSenderPerMinute), tooManyFromSender);
}

/** Returns true if a block rule matches the sender; allow rules are ignored. */
export function isBlocked(rules: Recipient["rules"], sender: string): boolean {
  const blocks = rules.filter(({ action }) => action === "block");
  return !isAllowed(blocks, sender);
}

async function refuseWhenLimited(consumed: Promise<unknown>, refusal: () => Error): Promise<void> {
  try {
    await consumed;
  } catch (error) {
    throw error instanceof RateLimitedError ? refusal() : error;
  }
}
