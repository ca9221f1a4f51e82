import type { Database } from "../../platform/database/connection.ts";
import type { MailDeps } from "../../platform/email/email-queue.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import { renderReviewEmail } from "./review-emails.ts";

export interface NotifyDeps extends Pick<MailDeps, "queueEmail"> {
  readonly db: Database;
  readonly logger: Logger;
  readonly settings: { readonly dashboardUrl: string };
}

const MAX_BATCH = 100;

/**
 * Queues emails for reviews without a notification: to the contact addresses, else to the support address. If the
 * process ends after a decision, the next run queues its emails. The idempotency key prevents duplicates.
 */
export async function sendReviewEmails({ db, logger, queueEmail, settings }: NotifyDeps): Promise<void> {
  const reviews = await db.prisma.oAuthClientReview.findMany({
    where: { notifiedAt: null },
    include: { client: true },
    orderBy: { createdAt: "asc" },
    take: MAX_BATCH,
  });
  for (const { client, ...review } of reviews) {
    const email = renderReviewEmail(client, review, settings.dashboardUrl);
    const addresses = client.contactEmails.length > 0 ? client.contactEmails : [client.supportEmail];
    // An application that registered itself has no address.
    const recipients = addresses.filter((address) => address !== "");
    try {
      for (const to of recipients) await queueEmail({ ...email, to, idempotencyKey: `${review.id}:${to}` });
      await db.prisma.oAuthClientReview.update({ where: { id: review.id }, data: { notifiedAt: new Date() } });
    } catch (error) {
      logger.error({ err: error, reviewId: review.id }, "Review emails were not queued; retried by the next run");
    }
  }
}

/** Queues emails right after a decision. A failure is logged and does not affect the decision. */
export async function sendReviewEmailsNow(deps: NotifyDeps): Promise<void> {
  await sendReviewEmails(deps).catch((error: unknown) => {
    deps.logger.error({ err: error }, "Review emails were not queued; retried by the next run");
  });
}
