/** A letter of the agent's own (`POST /api/agent/email/send`, mutation `sendMail`). */
import type { MailMessage } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { AgentMailDeps } from "../deps.ts";
import { requireCorrespondent, requireMailbox } from "../mailboxes.ts";
import { type LetterInput, readLetter } from "./letter.ts";
import { submitMessage } from "./submit.ts";

export interface SendMailInput extends LetterInput {
  /** The draft it was, which is deleted once the letter is kept; its files may be among `attachmentIds`. */
  readonly draftId: string | null;
  readonly idempotencyKey: string | null;
}

/**
 * Sends it, and answers the message as it left.
 * @throws what `submitMessage` does, and {NotFoundError | ForbiddenError}
 */
export async function sendMail(deps: AgentMailDeps, viewer: Viewer | null, input: SendMailInput): Promise<MailMessage> {
  const account = requireCorrespondent(viewer);
  const letter = readLetter(input);
  const mailbox = await requireMailbox(deps.db, account.accountId);
  const { draftId, idempotencyKey } = input;
  const prepare = async () => ({ letter, answers: null, draftId });
  return await submitMessage(
    deps,
    account,
    mailbox,
    { request: ["send-mail", letter, draftId], prepare },
    idempotencyKey,
  );
}
