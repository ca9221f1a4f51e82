import { NoActiveAgentError } from "../../src/mail/mailboxes.ts";
import { AutomatedMailError } from "../../src/mail/outgoing/reply-to-mail.ts";
import { MailNotSentError } from "../../src/mail/outgoing/submit-message.ts";
import { MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, createErrorOptions, IDEMPOTENCY_ERRORS } from "../errors.ts";
import { MailMessageNode } from "./messages.ts";

builder.objectType(MailNotSentError, {
  name: "MailNotSentError",
  ...createErrorOptions(
    "The mail server did not accept the email: it refused it permanently, or delivery is retried. See `isQueued`.",
  ),
  fields: (t) => ({
    isQueued: t.exposeBoolean("isQueued", {
      description:
        "Whether delivery is retried automatically, for up to three days. If true, do not send the email again.",
    }),
    mailMessage: t.expose("row", { type: MailMessageNode, description: "The stored message." }),
  }),
});

builder.objectType(AutomatedMailError, {
  name: "AutomatedMailError",
  ...createErrorOptions(
    "The message to reply to is automated. No reply was sent. To reply anyway, set `force` to true.",
  ),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the input field." }),
  }),
});

/** Errors of mutations that send email. */
export const SENDING_ERRORS = [
  ...BOUNDED_ERRORS,
  ...IDEMPOTENCY_ERRORS,
  NoActiveAgentError,
  MailNotConfiguredError,
  MailNotSentError,
];

/** Errors of mutations that send replies. */
export const REPLY_ERRORS = [...SENDING_ERRORS, AutomatedMailError];
