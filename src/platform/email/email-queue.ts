/**
 * A queue of the service's own emails in the database. Emails survive an outage of the mail server and a restart of the
 * process. Recipients have equal shares of it: one with many queued emails does not delay another's first.
 */
import type { Jobs } from "../jobs/queue.ts";
import type { Logger } from "../observability/logger.ts";
import { assertOneAddress, type Email, type Mailer, MailFailedError } from "./mailer.ts";

/**
 * Queues an email for delivery, with retries for three days. After a crash it may be delivered twice, with the same Message-ID.
 * The queue stores the email in plain text: send an email with a secret, such as a one-time code, with `Mailer.send` instead. An
 * email with an `idempotencyKey` that was queued before is not queued again.
 *
 * @throws {InvalidRequestError} `to` is not one address
 */
export type QueueEmail = (email: Email) => Promise<void>;

/** Dependencies of code that sends emails. */
export interface MailDeps {
  readonly mailer: Mailer;
  readonly queueEmail: QueueEmail;
}

const HOUR_SECONDS = 3_600;
/** Delays from 15 s, doubling up to one hour: attempts for about three days. */
const RETRIES = {
  retryLimit: 80,
  retryDelaySeconds: 15,
  retryDelayMaxSeconds: HOUR_SECONDS,
  retentionSeconds: 72 * HOUR_SECONDS,
  timeoutSeconds: 120,
};

/** Opens the queue and, if a mail server is configured, sends queued emails. Without one, they expire after three days. */
export async function openEmailQueue(options: {
  jobs: Jobs;
  mailer: Mailer;
  logger: Logger;
  /** Delay before the first retry; default 15. */
  retryDelaySeconds?: number;
}): Promise<QueueEmail> {
  const { jobs, mailer, logger, retryDelaySeconds = RETRIES.retryDelaySeconds } = options;
  const queue = await jobs.queue<Email>("letters", { ...RETRIES, retryDelaySeconds });
  if (mailer.isConfigured) {
    await queue.work(async (email, jobId) => {
      try {
        await mailer.send({ ...email, idempotencyKey: email.idempotencyKey ?? jobId });
      } catch (error) {
        if (!(error instanceof MailFailedError && error.isPermanent)) throw error;
        logger.error({ jobId }, "Email rejected permanently; no retry");
      }
    });
  }
  return async (email) => {
    assertOneAddress(email.to);
    if (!mailer.isConfigured) logger.warn("Email queued but not sent: SMTP_URL is not set");
    await queue.send(email, { key: email.idempotencyKey, owner: email.to });
  };
}
