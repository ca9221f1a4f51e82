import type { MailMessage } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { AgentMailDeps } from "../deps.ts";
import { type AgentMailbox, requireCorrespondent, requireMailbox } from "../mailboxes.ts";
import { findDraft } from "./drafts.ts";
import { readLetter } from "./letter.ts";
import { findAnswerable } from "./reply-to-mail.ts";
import { type Submission, submitMessage } from "./submit.ts";

export interface SendDraftInput {
  readonly draftId: string;
  /** Answers a machine, too. */
  readonly force: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * Sends a draft, as an answer where it is one. It is gone as soon as its letter is kept, so that it is sent once.
 * @throws what `submitMessage` does, and {AutomatedMailError | NotFoundError | ForbiddenError}
 */
export async function sendDraft(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  input: SendDraftInput,
): Promise<MailMessage> {
  const account = requireCorrespondent(viewer);
  const mailbox = await requireMailbox(deps.db, account.accountId);
  const { draftId, idempotencyKey } = input;
  const prepare = () => submissionOf(deps, mailbox, input);
  return await submitMessage(
    deps,
    account,
    mailbox,
    { request: ["send-mail-draft", draftId], prepare },
    idempotencyKey,
  );
}

async function submissionOf(
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
  const letter = readLetter({
    to: draft.toAddresses,
    cc: draft.ccAddresses,
    subject: draft.subject,
    body: draft.bodyText,
    attachmentIds: files.map(({ id }) => id),
  });
  const { repliesToId } = draft;
  // What it answers may be deleted by now: then it is a letter of its own.
  const isThere = repliesToId !== null && (await prisma.mailMessage.count({ where: { id: repliesToId } })) > 0;
  const answers = isThere ? await findAnswerable(deps, mailbox, repliesToId, force) : null;
  return { letter, answers, draftId };
}
