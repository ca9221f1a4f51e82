import type { Database } from "../../platform/database/connection.ts";
import type { MailDeps } from "../../platform/email/email-queue.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import { reviewLetter } from "./letters.ts";

export interface NotifyDeps extends Pick<MailDeps, "queueEmail"> {
  readonly db: Database;
  readonly logger: Logger;
  readonly settings: { readonly dashboardUrl: string };
}

const MAX_BATCH = 100;

/**
 * Queues the letters that reviews still owe: to the contact addresses, else to the support address. A process that ends
 * between a decision and its letters leaves them to the next run; the queue takes each letter once.
 */
export async function sendReviewLetters({ db, logger, queueEmail, settings }: NotifyDeps): Promise<void> {
  const reviews = await db.prisma.oAuthClientReview.findMany({
    where: { notifiedAt: null },
    include: { client: true },
    orderBy: { createdAt: "asc" },
    take: MAX_BATCH,
  });
  for (const { client, ...review } of reviews) {
    const letter = reviewLetter(client, review, settings.dashboardUrl);
    const recipients = client.contactEmails.length > 0 ? client.contactEmails : [client.supportEmail];
    try {
      for (const to of recipients) await queueEmail({ ...letter, to, idempotencyKey: `${review.id}:${to}` });
      await db.prisma.oAuthClientReview.update({ where: { id: review.id }, data: { notifiedAt: new Date() } });
    } catch (error) {
      logger.error({ err: error, reviewId: review.id }, "letters about an application were not queued; tried again");
    }
  }
}

/** After a decision, which stands whether or not its letters could be queued at once. */
export async function sendReviewLettersNow(deps: NotifyDeps): Promise<void> {
  await sendReviewLetters(deps).catch((error: unknown) => {
    deps.logger.error({ err: error }, "letters about applications were not queued; tried again");
  });
}
