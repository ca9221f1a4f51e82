/** New emails (`POST /api/agent/email/send`, mutation `sendMail`). */
import type { MailMessage } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { AgentMailDeps } from "../deps.ts";
import { requireMailAccess, requireMailbox } from "../mailboxes.ts";
import { type EmailInput, validateEmail } from "./email-input.ts";
import { submitMessage } from "./submit-message.ts";

export interface SendMailInput extends EmailInput {
  /** The draft to delete when the email is stored. `attachmentIds` may contain the draft's attachments. */
  readonly draftId: string | null;
  readonly idempotencyKey: string | null;
}

/**
 * Sends an email and returns the stored message.
 * @throws as `submitMessage` does, and {NotFoundError | ForbiddenError}
 */
export async function sendMail(deps: AgentMailDeps, viewer: Viewer | null, input: SendMailInput): Promise<MailMessage> {
  const account = requireMailAccess(viewer);
  const email = validateEmail(input);
  const mailbox = await requireMailbox(deps.db, account.accountId);
  const { draftId, idempotencyKey } = input;
  const prepare = async () => ({ email, repliesTo: null, draftId });
  return await submitMessage(
    deps,
    account,
    mailbox,
    { request: ["send-mail", email, draftId], prepare },
    idempotencyKey,
  );
}
