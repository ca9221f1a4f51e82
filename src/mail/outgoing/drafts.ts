/** Drafts of emails. */
import type { MailDraft, Prisma } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { assignAttachments } from "../attachments.ts";
import type { AgentMailDeps } from "../deps.ts";
import { requireMailAccess, requireMailbox } from "../mailboxes.ts";
import { withMailboxLock } from "../threads.ts";
import { type EmailInput, validateDraft } from "./email-input.ts";

const MAX_DRAFTS = 500;

export interface NewDraft extends EmailInput {
  /** Id of the message that the draft replies to; null for a new email. */
  readonly repliesToMessageId: string | null;
}

/** Changes to a draft. Undefined fields remain unchanged. */
export type DraftChanges = { readonly [Field in keyof EmailInput]?: EmailInput[Field] | undefined };

/** Creates a draft. @throws {InvalidRequestError | NotFoundError | ForbiddenError} */
export async function createDraft(deps: AgentMailDeps, viewer: Viewer | null, input: NewDraft): Promise<MailDraft> {
  const { accountId } = requireMailAccess(viewer);
  const { to, cc, subject, body, attachmentIds } = validateDraft(input);
  const { id: mailboxId } = await requireMailbox(deps.db, accountId);
  const { repliesToMessageId } = input;
  const { prisma } = deps.db;
  if (
    repliesToMessageId !== null &&
    !(await prisma.mailMessage.count({ where: { id: repliesToMessageId, mailboxId } }))
  ) {
    throw new NotFoundError("Message not found in this mailbox.");
  }
  const create = async (tx: Prisma.TransactionClient) => {
    if ((await tx.mailDraft.count({ where: { mailboxId } })) >= MAX_DRAFTS) {
      throw new InvalidRequestError(
        `The mailbox already has ${MAX_DRAFTS} drafts. No draft was created. Send or delete one first.`,
      );
    }
    const id = newId("mdr");
    const text = { toAddresses: [...to], ccAddresses: [...cc], subject, bodyText: body };
    const draft = await tx.mailDraft.create({ data: { id, mailboxId, ...text, repliesToId: repliesToMessageId } });
    await assignAttachments(tx, accountId, attachmentIds, { draftId: id });
    return draft;
  };
  return await withMailboxLock(deps.db, accountId, create);
}

/** Updates the given fields of a draft; attachments not in the new list are removed from it. @throws as `createDraft` does */
export async function updateDraft(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  draftId: string,
  changes: DraftChanges,
): Promise<MailDraft> {
  const { accountId } = requireMailAccess(viewer);
  await requireMailbox(deps.db, accountId);
  // Lock order: mailbox, then draft, as when a draft is sent.
  const update = async (tx: Prisma.TransactionClient) => {
    await tx.$queryRaw`SELECT id FROM mail_drafts WHERE id = ${draftId} FOR UPDATE`;
    const before = await findDraft(tx, accountId, draftId);
    const { to, cc, subject, body } = validateDraft({
      to: changes.to ?? before.toAddresses,
      cc: changes.cc ?? before.ccAddresses,
      subject: changes.subject ?? before.subject,
      body: changes.body ?? before.bodyText,
      attachmentIds: [],
    });
    if (changes.attachmentIds) await replaceAttachments(tx, accountId, draftId, changes.attachmentIds);
    return await tx.mailDraft.update({
      where: { id: draftId },
      data: { toAddresses: [...to], ccAddresses: [...cc], subject, bodyText: body, updatedAt: new Date() },
    });
  };
  return await withMailboxLock(deps.db, accountId, update);
}

async function replaceAttachments(
  tx: Prisma.TransactionClient,
  accountId: string,
  draftId: string,
  ids: readonly string[],
) {
  await tx.mailAttachment.updateMany({ where: { draftId, id: { notIn: [...ids] } }, data: { draftId: null } });
  await assignAttachments(tx, accountId, ids, { draftId }, draftId);
}

/** Deletes a draft; its attachments are deleted within 24 hours. @throws {NotFoundError} */
export async function deleteDraft(deps: AgentMailDeps, viewer: Viewer | null, draftId: string): Promise<void> {
  const { accountId } = requireMailAccess(viewer);
  const { count } = await deps.db.prisma.mailDraft.deleteMany({ where: { id: draftId, mailbox: { accountId } } });
  if (count === 0) throw new NotFoundError("Draft not found. It may have been sent or deleted.");
}

/** Returns a draft of the account. @throws {NotFoundError} */
export async function findDraft(tx: Prisma.TransactionClient, accountId: string, draftId: string): Promise<MailDraft> {
  const draft = await tx.mailDraft.findFirst({ where: { id: draftId, mailbox: { accountId } } });
  if (!draft) throw new NotFoundError("Draft not found. It may have been sent or deleted.");
  return draft;
}
