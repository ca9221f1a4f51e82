/** Deliveries of outgoing email: one row for each recipient, created with the message. */
import type { MailDelivery, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { createReturnKey } from "./return-path.ts";

/**
 * `queued` and `deferred` wait for the relay. Then `accepted`, and as reports arrive `deferred` by a later server, `delivered`, `bounced` or
 * `complained`. `failed`: the relay refused the recipient, or retries ended.
 */
export type DeliveryStatus = "queued" | "deferred" | "accepted" | "delivered" | "failed" | "bounced" | "complained";

/** The columns with the time of a state. `queued` and `accepted` have others. */
const TIME_COLUMNS = {
  deferred: "deferredAt",
  delivered: "deliveredAt",
  failed: "failedAt",
  bounced: "bouncedAt",
  complained: "complainedAt",
} as const satisfies Partial<Record<DeliveryStatus, keyof MailDelivery>>;

type TimedStatus = keyof typeof TIME_COLUMNS;

/** Returns the columns of a delivery that has the state since `at`. Events of recipients derive from the time. */
export function setDeliveryState(status: TimedStatus, failureReason: string | null, at: Date) {
  return { status, failureReason, [TIME_COLUMNS[status]]: at, updatedAt: new Date() };
}

/** The condition of deliveries that the relay has not accepted and that are retried. */
export const OPEN = { acceptedAt: null, status: { in: ["queued", "deferred"] } };

/** Returns whether the relay has not accepted the delivery and it is retried. */
export function isOpen({ status, acceptedAt }: Pick<MailDelivery, "status" | "acceptedAt">): boolean {
  return acceptedAt === null && OPEN.status.in.includes(status);
}

/** Creates the deliveries of an outgoing message that do not exist yet. */
export async function createDeliveries(
  tx: Pick<Prisma.TransactionClient, "mailDelivery">,
  message: { readonly id: string; readonly accountId: string },
  addresses: readonly string[],
): Promise<void> {
  const rows = addresses.map((address) => ({
    id: newId("mdl"),
    messageId: message.id,
    accountId: message.accountId,
    address,
    status: "queued",
    returnKey: createReturnKey(),
  }));
  await tx.mailDelivery.createMany({ data: rows, skipDuplicates: true });
}
