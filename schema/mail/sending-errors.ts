import { NoActiveAgentError } from "../../src/mail/mailboxes.ts";
import { AutomatedMailError } from "../../src/mail/outgoing/reply-to-mail.ts";
import { MailNotSentError } from "../../src/mail/outgoing/submit.ts";
import { MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, errorOf, IDEMPOTENCY_ERRORS } from "../errors.ts";
import { MailMessageNode } from "./messages.ts";

builder.objectType(MailNotSentError, {
  name: "MailNotSentError",
  ...errorOf("The mail server did not take the letter: it refused it for good, or the letter is kept and tried again."),
  fields: (t) => ({
    isQueued: t.exposeBoolean("isQueued", {
      description: "Whether it is tried again by itself, for three days. Do not send it again then.",
    }),
    mailMessage: t.expose("row", { type: MailMessageNode, description: "The letter as it is kept." }),
  }),
});

builder.objectType(AutomatedMailError, {
  name: "AutomatedMailError",
  ...errorOf("A machine wrote the message that was to be answered. Nothing was sent."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

/** What sending a letter may be refused with. */
export const SENDING_ERRORS = [
  ...BOUNDED_ERRORS,
  ...IDEMPOTENCY_ERRORS,
  NoActiveAgentError,
  MailNotConfiguredError,
  MailNotSentError,
];

/** What answering a message may be refused with. */
export const REPLY_ERRORS = [...SENDING_ERRORS, AutomatedMailError];
