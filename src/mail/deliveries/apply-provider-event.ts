/** Applies an event of the mail provider to the delivery that it names. */
import type { MailDelivery } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";
import { toAsciiAddress } from "../ascii-address.ts";
import { publishDelivery, publishMail } from "../mail-events.ts";
import { findMailboxByAddress } from "../mailboxes.ts";
import { applyToDelivery } from "./apply-report.ts";
import type { ProviderEvent } from "./provider-event.ts";
import { type DeriveIdentifier, readReturnPath } from "./return-path.ts";

/** Events about recipients of one message wait for its row. */
const TRANSACTION_TIMEOUTS = { maxWait: 10_000, timeout: 20_000 };

export interface ProviderEventDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly deriveIdentifier: DeriveIdentifier;
}

/**
 * `applied`: the delivery has a new state. `unchanged`: the event is a repetition, late or without a state of its own. `unknown`: no
 * delivery matches, for example because the message was deleted.
 */
export type ProviderEventOutcome = "applied" | "unchanged" | "unknown";

/**
 * Applies an event. Idempotent, also for concurrent repetitions: each transition is one conditional update.
 *
 * The caller has verified the provider's signature, so the Message-ID and the recipient suffice to identify the delivery.
 */
export async function applyProviderEvent(deps: ProviderEventDeps, event: ProviderEvent): Promise<ProviderEventOutcome> {
  const delivery = (await findByReturnPath(deps, event)) ?? (await findByMessageId(deps, event));
  if (!delivery) return "unknown";
  const at = limitTime(event.occurredAt, delivery.createdAt);
  const changed = await deps.db.prisma.$transaction(
    (tx) => applyToDelivery(tx, delivery, event.reported, at),
    TRANSACTION_TIMEOUTS,
  );
  if (!changed) return "unchanged";
  publishMail(deps.pubsub, changed.accountId, changed.messageId);
  publishDelivery(deps.pubsub, changed.accountId, changed.id);
  return "applied";
}

/** Returns the delivery of a return path of this service. Providers may have replaced it by one of their own. */
async function findByReturnPath({ db, deriveIdentifier }: ProviderEventDeps, { returnPath }: ProviderEvent) {
  if (returnPath === null) return null;
  const mailbox = await findMailboxByAddress(db, returnPath);
  if (!mailbox) return null;
  const { accountId } = mailbox;
  const returnKey = await readReturnPath(deriveIdentifier, accountId, returnPath);
  return returnKey === null ? null : await db.prisma.mailDelivery.findUnique({ where: { returnKey, accountId } });
}

/** Returns the delivery of the recipient of a sent message. */
async function findByMessageId({ db }: ProviderEventDeps, { messageId, recipient }: ProviderEvent) {
  if (messageId === null) return null;
  const deliveries = await db.prisma.mailDelivery.findMany({
    where: { message: { messageIdHeader: messageId, direction: "outbound" } },
  });
  return deliveries.find(({ address }) => address === recipient) ?? deliveries.find(isTo(recipient)) ?? null;
}

/** Local parts are compared without case, because providers change it. */
function isTo(recipient: string): (delivery: MailDelivery) => boolean {
  const expected = toAsciiAddress(recipient);
  return ({ address }) => toAsciiAddress(address) === expected;
}

/** Limits the provider's time to the lifetime of the delivery: its clock may differ. */
function limitTime(at: Date, createdAt: Date): Date {
  return new Date(Math.min(Math.max(at.getTime(), createdAt.getTime()), Date.now()));
}
