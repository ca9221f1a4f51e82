/** Letters that must arrive even when the mail server is away or this process ends: kept in the database until sent. */
import type { Jobs } from "../jobs/queue.ts";
import type { Logger } from "../observability/logger.ts";
import { assertOneAddress, type Email, type Mailer, MailFailedError } from "./mailer.ts";

/**
 * Queues a letter; it is sent soon, and tried again for three days. It may arrive twice after a crash, then with the
 * same Message-ID. It is stored as it is: a letter with a secret in it, such as a one-time code, is sent with
 * `Mailer.send` instead. With an `idempotencyKey`, a letter queued before is not queued again.
 * @throws {InvalidRequestError} `to` is not one address
 */
export type QueueEmail = (letter: Email) => Promise<void>;

/** What a use case takes to write letters. */
export interface MailDeps {
  readonly mailer: Mailer;
  readonly queueEmail: QueueEmail;
}

const HOUR_SECONDS = 3_600;
/** 15 s, doubling to an hour: about three days of attempts. */
const RETRIES = {
  retryLimit: 80,
  retryDelaySeconds: 15,
  retryDelayMaxSeconds: HOUR_SECONDS,
  retentionSeconds: 72 * HOUR_SECONDS,
  timeoutSeconds: 120,
};

/** Opens the queue and, where there is a mail server, sends what is in it. Without one, letters wait their three days. */
export async function openEmailQueue(options: {
  jobs: Jobs;
  mailer: Mailer;
  logger: Logger;
  /** Before the first retry; 15 unless given. */
  retryDelaySeconds?: number;
}): Promise<QueueEmail> {
  const { jobs, mailer, logger, retryDelaySeconds = RETRIES.retryDelaySeconds } = options;
  const queue = await jobs.queue<Email>("letters", { ...RETRIES, retryDelaySeconds });
  if (mailer.isConfigured) {
    await queue.work(async (letter, jobId) => {
      try {
        await mailer.send({ ...letter, idempotencyKey: letter.idempotencyKey ?? jobId });
      } catch (error) {
        if (!(error instanceof MailFailedError && error.isPermanent)) throw error;
        logger.error({ jobId }, "a letter was refused for good and is not tried again");
      }
    });
  }
  return async (letter) => {
    assertOneAddress(letter.to);
    if (!mailer.isConfigured) logger.warn("a letter waits: SMTP_URL is not set");
    await queue.send(letter, { key: letter.idempotencyKey });
  };
}
