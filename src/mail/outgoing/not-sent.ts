import type { MailMessage } from "../../../generated/prisma/client.ts";
import { ServiceError } from "../../platform/errors.ts";

/** The mail server did not take the letter: refused for good, or kept here and tried again. */
export class MailNotSentError extends ServiceError {
  readonly code = "mail_failed";
  /** Whether it is tried again by itself, for three days. */
  readonly isQueued: boolean;
  /** The message as it is kept. */
  readonly row: MailMessage;
  constructor(row: MailMessage) {
    const isQueued = row.status === "queued";
    const reason = row.failureReason ?? "The mail server has not answered yet.";
    super(`${reason} ${isQueued ? "The letter is kept and tried again; do not send it again." : "It was not sent."}`);
    this.isQueued = isQueued;
    this.row = row;
  }
}
