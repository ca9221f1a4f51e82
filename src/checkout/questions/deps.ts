/** Dependencies of questions to the account owner. */
import type { MailDeps } from "../../platform/email/email-queue.ts";
import type { Site } from "../../platform/http/site.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { OrderDeps } from "../orders/deps.ts";

export interface QuestionDeps extends OrderDeps, Pick<MailDeps, "queueEmail"> {
  readonly site: Site;
  readonly logger: Logger;
  /** Maximum time that an order waits for answers, over all its questions. */
  readonly questionMs: number;
}
