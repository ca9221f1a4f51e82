/** Queued emails, with what can still happen to them during a freeze. */
import { type InFlight, MAX_IN_FLIGHT } from "../../accounts/freeze/in-flight.ts";
import type { Database } from "../../platform/database/connection.ts";

/** Returns the queued emails of the account, or of all accounts if it is null. */
export async function listInFlightMail(
  { db }: { readonly db: Database },
  accountId: string | null,
): Promise<InFlight[]> {
  const messages = await db.prisma.mailMessage.findMany({
    where: {
      status: { in: ["queued", "sent"] },
      nextAttemptAt: { not: null },
      ...(accountId === null ? {} : { accountId }),
    },
    select: { id: true, accountId: true, failureReason: true, toAddresses: true, nextAttemptAt: true },
    orderBy: { nextAttemptAt: "asc" },
    take: MAX_IN_FLIGHT,
  });
  const now = Date.now();
  return messages.map(({ id, accountId: owner, failureReason, toAddresses, nextAttemptAt }) => {
    // An email has no failure reason during an attempt.
    const isAttempted = failureReason === null && nextAttemptAt !== null && nextAttemptAt.getTime() > now;
    return {
      kind: "email",
      id,
      accountId: owner,
      outlook: isAttempted ? "may_be_delivered" : "waits",
      amountMicroUsd: null,
      counterparty: toAddresses[0] ?? null,
      until: isAttempted ? nextAttemptAt : null,
    };
  });
}
