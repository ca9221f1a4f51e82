import type { MailMessage } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { AgentMailDeps } from "../deps.ts";
import { type AgentMailbox, requireMailAccess, requireMailbox } from "../mailboxes.ts";
import { findDraft } from "./drafts.ts";
import { validateEmail } from "./email-input.ts";
import { findReplyTarget } from "./reply-to-mail.ts";
import { type Submission, submitMessage } from "./submit-message.ts";

export interface SendDraftInput {
  readonly draftId: string;
  /** Whether to reply even if the message is automated. */
  readonly force: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * Sends a draft, as a reply if it is one. The draft is deleted when its email is stored, which prevents a second email.
 * @throws as `submitMessage` does, and {AutomatedMailError | NotFoundError | ForbiddenError}
 */
export async function sendDraft(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  input: SendDraftInput,
): Promise<MailMessage> {
  const account = requireMailAccess(viewer);
  const mailbox = await requireMailbox(deps.db, account.accountId);
  const { draftId, idempotencyKey } = input;
  const prepare = () => loadSubmission(deps, mailbox, input);
  return await submitMessage(
    deps,
    account,
    mailbox,
    { request: ["send-mail-draft", draftId], prepare },
    idempotencyKey,
  );
}

async function loadSubmission(
  deps: AgentMailDeps,
  mailbox: AgentMailbox,
  { draftId, force }: SendDraftInput,
): Promise<Submission> {
  const { prisma } = deps.db;
  const draft = await findDraft(prisma, mailbox.accountId, draftId);
  const files = await prisma.mailAttachment.findMany({
    where: { draftId },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  const email = validateEmail({
    to: draft.toAddresses,
    cc: draft.ccAddresses,
    subject: draft.subject,
    body: draft.bodyText,
    attachmentIds: files.map(({ id }) => id),
  });
  const { repliesToId } = draft;
  // If the original message was deleted, the draft is sent as a new email.
  const originalExists = repliesToId !== null && (await prisma.mailMessage.count({ where: { id: repliesToId } })) > 0;
  const repliesTo = originalExists ? await findReplyTarget(deps, mailbox, repliesToId, force) : null;
  return { email, repliesTo, draftId };
}
