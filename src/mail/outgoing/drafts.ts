/** Letters that are not sent yet. */
import type { MailDraft, Prisma } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { attach } from "../attachments.ts";
import type { AgentMailDeps } from "../deps.ts";
import { requireCorrespondent, requireMailbox } from "../mailboxes.ts";
import { withMailboxLock } from "../threads.ts";
import { type LetterInput, readDraft } from "./letter.ts";

const MAX_DRAFTS = 500;

export interface NewDraft extends LetterInput {
  /** The message it answers, by its own id; null for none. */
  readonly answersMessageId: string | null;
}

/** What changes in a draft; what is undefined stays as it is. */
export type DraftChanges = { readonly [Field in keyof LetterInput]?: LetterInput[Field] | undefined };

/** @throws {InvalidRequestError | NotFoundError | ForbiddenError} */
export async function createDraft(deps: AgentMailDeps, viewer: Viewer | null, input: NewDraft): Promise<MailDraft> {
  const { accountId } = requireCorrespondent(viewer);
  const { to, cc, subject, body, attachmentIds } = readDraft(input);
  const { id: mailboxId } = await requireMailbox(deps.db, accountId);
  const { answersMessageId } = input;
  const { prisma } = deps.db;
  if (answersMessageId !== null && !(await prisma.mailMessage.count({ where: { id: answersMessageId, mailboxId } }))) {
    throw new NotFoundError("There is no such message in this mailbox.");
  }
  const create = async (tx: Prisma.TransactionClient) => {
    if ((await tx.mailDraft.count({ where: { mailboxId } })) >= MAX_DRAFTS) {
      throw new InvalidRequestError(`A mailbox has at most ${MAX_DRAFTS} drafts. Send or delete one first.`);
    }
    const id = newId("mdr");
    const text = { toAddresses: [...to], ccAddresses: [...cc], subject, bodyText: body };
    const draft = await tx.mailDraft.create({ data: { id, mailboxId, ...text, repliesToId: answersMessageId } });
    await attach(tx, accountId, attachmentIds, { draftId: id });
    return draft;
  };
  return await withMailboxLock(deps.db, accountId, create);
}

/** Writes what is given over what was there; files that are not named any more leave it. @throws as `createDraft` does */
export async function updateDraft(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  draftId: string,
  changes: DraftChanges,
): Promise<MailDraft> {
  const { accountId } = requireCorrespondent(viewer);
  await requireMailbox(deps.db, accountId);
  // The mailbox before the draft, as whoever sends it does.
  const update = async (tx: Prisma.TransactionClient) => {
    await tx.$queryRaw`SELECT id FROM mail_drafts WHERE id = ${draftId} FOR UPDATE`;
    const before = await findDraft(tx, accountId, draftId);
    const { to, cc, subject, body } = readDraft({
      to: changes.to ?? before.toAddresses,
      cc: changes.cc ?? before.ccAddresses,
      subject: changes.subject ?? before.subject,
      body: changes.body ?? before.bodyText,
      attachmentIds: [],
    });
    if (changes.attachmentIds) await replaceFiles(tx, accountId, draftId, changes.attachmentIds);
    return await tx.mailDraft.update({
      where: { id: draftId },
      data: { toAddresses: [...to], ccAddresses: [...cc], subject, bodyText: body, updatedAt: new Date() },
    });
  };
  return await withMailboxLock(deps.db, accountId, update);
}

async function replaceFiles(tx: Prisma.TransactionClient, accountId: string, draftId: string, ids: readonly string[]) {
  await tx.mailAttachment.updateMany({ where: { draftId, id: { notIn: [...ids] } }, data: { draftId: null } });
  await attach(tx, accountId, ids, { draftId }, draftId);
}

/** @returns whether there was such a draft; its files go within a day */
export async function deleteDraft(deps: AgentMailDeps, viewer: Viewer | null, draftId: string): Promise<boolean> {
  const { accountId } = requireCorrespondent(viewer);
  const { count } = await deps.db.prisma.mailDraft.deleteMany({ where: { id: draftId, mailbox: { accountId } } });
  return count > 0;
}

/** @throws {NotFoundError} */
export async function findDraft(tx: Prisma.TransactionClient, accountId: string, draftId: string): Promise<MailDraft> {
  const draft = await tx.mailDraft.findFirst({ where: { id: draftId, mailbox: { accountId } } });
  if (!draft) throw new NotFoundError("There is no such draft; it may have been sent.");
  return draft;
}
