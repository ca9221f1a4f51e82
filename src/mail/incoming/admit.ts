/** Who may send to whom, decided before a message's first byte. */
import { RateLimitedError } from "../../platform/errors.ts";
import { findMailboxByAddress, isActive } from "../mailboxes.ts";
import { isAllowed } from "../rules.ts";
import type { IncomingMailDeps } from "./deps.ts";
import { mailboxClosed, noSuchMailbox, senderRefused, tooManyFromHost, tooManyFromSender } from "./refusal.ts";

/** A mailbox that will be sent a message, with its rules. */
export type Recipient = NonNullable<Awaited<ReturnType<typeof findMailboxByAddress>>>;

/**
 * Counts a message of a host.
 * @throws {MailRefusedError} when it sent too many
 */
export async function admitHost({ rateLimiter, limits }: IncomingMailDeps, remoteAddress: string): Promise<void> {
  await refuseWhenLimited(rateLimiter.consume("mail-host", remoteAddress, limits.perHostPerMinute), tooManyFromHost);
}

/**
 * The mailbox behind a recipient's address.
 *
 * @param sender as the server was told; empty for bounces
 * @throws {MailRefusedError} there is none, it is closed, it takes none from this sender, or not so many
 */
export async function admitRecipient(deps: IncomingMailDeps, sender: string, address: string): Promise<Recipient> {
  const mailbox = await findMailboxByAddress(deps.db, address);
  if (!mailbox) throw noSuchMailbox();
  if (!isActive(mailbox)) throw mailboxClosed();
  // Whom it allows is seen when the message says who wrote it.
  if (sender !== "" && isBlocked(mailbox.rules, sender)) throw senderRefused();
  const key = `${mailbox.id} ${sender.toLowerCase()}`;
  await refuseWhenLimited(
    deps.rateLimiter.consume("mail-sender", key, deps.limits.perSenderPerMinute),
    tooManyFromSender,
  );
  return mailbox;
}

/** Whether a rule blocks the sender, whomever others allow. */
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
