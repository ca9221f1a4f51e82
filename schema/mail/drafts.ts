/** Letters that are not sent yet. */
import type { MailDraft, MailMessage } from "../../generated/prisma/client.ts";
import { createDraft, deleteDraft, updateDraft } from "../../src/mail/outgoing/drafts.ts";
import { sendDraft } from "../../src/mail/outgoing/send-draft.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { findVisible } from "../find-visible.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { PAGES, readPage } from "../paging.ts";
import { announcingLimits } from "../rate-limit-headers.ts";
import { StorableText } from "../text.ts";
import { MailboxNode } from "./mailbox.ts";
import { MailMessageNode } from "./messages.ts";
import { LETTER_FIELDS } from "./sending.ts";
import { REPLY_ERRORS } from "./sending-errors.ts";

export const MailDraftNode = builder.prismaNode("MailDraft", {
  id: { field: "id", description: "The draft's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.mailDraft.findMany({
      select: { id: true },
      where: { id: { in: ids }, mailbox: { accountId: ownAccountIdWithin(context, "email:read") } },
    }),
  ),
  nullable: true,
  description: "A letter that is not sent yet.",
  fields: (t) => ({
    draftId: t.exposeID("id", { description: "The draft's own id, without its type: what is changed and sent." }),
    to: t.exposeStringList("toAddresses", { description: "Whom it is to, so far." }),
    cc: t.exposeStringList("ccAddresses", { description: "Whom it is copied to, so far." }),
    subject: t.exposeString("subject", { description: "Its subject; may be empty." }),
    body: t.exposeString("bodyText", { description: "Its text; may be empty." }),
    answersMessageId: t.exposeID("repliesToId", {
      nullable: true,
      description: "The own id of the message that it answers.",
    }),
    attachments: t.relation("attachments", {
      complexity: { field: 1, multiplier: 5 },
      description: "Its files.",
      query: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was begun." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
  }),
});

builder.prismaObjectField(MailboxNode, "drafts", (t) =>
  t.prismaConnection(
    {
      type: MailDraftNode,
      ...PAGES,
      description: "Letters that are not sent yet, the one changed last first.",
      resolve: async (query, { id: mailboxId }, _args, { deps }) => {
        const { mailDraft } = deps.db.prisma;
        return await readPage(
          query,
          { mailboxId },
          (page) =>
            mailDraft.findMany({ ...page, where: { mailboxId }, orderBy: [{ updatedAt: "desc" }, { id: "desc" }] }),
          (where) => mailDraft.count({ where }),
        );
      },
    },
    { name: "MailDraftConnection", description: "A page of drafts." },
    { name: "MailDraftEdge", description: "A draft in a list." },
  ),
);

const CreateMailDraftInput = builder.inputType("CreateMailDraftInput", {
  description: "A draft: as much of a letter as there is.",
  fields: (t) => ({
    to: t.stringList(LETTER_FIELDS.to),
    cc: t.stringList(LETTER_FIELDS.cc),
    subject: t.string(LETTER_FIELDS.subject),
    body: t.string(LETTER_FIELDS.body),
    attachmentIds: t.idList(LETTER_FIELDS.attachmentIds),
    answersMessageId: t.id({ validate: StorableText, description: "The message that it answers, by its own id." }),
  }),
});

const CreateMailDraftSuccess = builder.objectRef<{ draft: MailDraft }>("CreateMailDraftSuccess").implement({
  description: "The draft is kept.",
  fields: (t) => ({ draft: t.expose("draft", { type: MailDraftNode, description: "The draft." }) }),
});

builder.mutationField("createMailDraft", (t) =>
  t.field({
    type: CreateMailDraftSuccess,
    description: "Keeps a letter to be sent later; at most 500 a mailbox.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "CreateMailDraftResult", description: "The draft, or why there is none." },
    },
    args: { input: t.arg({ type: CreateMailDraftInput, required: true, description: "The draft." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      draft: await createDraft(deps, viewer, {
        to: input.to ?? [],
        cc: input.cc ?? [],
        subject: input.subject ?? "",
        body: input.body ?? "",
        attachmentIds: (input.attachmentIds ?? []).map(String),
        repliesToMessageId: input.answersMessageId ?? null,
      }),
    }),
  }),
);

const DRAFT_ID = { required: true, validate: StorableText, description: "The draft's own id, `mdr_…`." } as const;

const UpdateMailDraftInput = builder.inputType("UpdateMailDraftInput", {
  description: "What changes in a draft; what is left out stays as it is.",
  fields: (t) => ({
    draftId: t.id(DRAFT_ID),
    to: t.stringList(LETTER_FIELDS.to),
    cc: t.stringList(LETTER_FIELDS.cc),
    subject: t.string(LETTER_FIELDS.subject),
    body: t.string(LETTER_FIELDS.body),
    attachmentIds: t.idList({
      ...LETTER_FIELDS.attachmentIds,
      description: `All its files: those not named leave it. ${LETTER_FIELDS.attachmentIds.description}`,
    }),
  }),
});

const UpdateMailDraftSuccess = builder.objectRef<{ draft: MailDraft }>("UpdateMailDraftSuccess").implement({
  description: "The draft is changed.",
  fields: (t) => ({ draft: t.expose("draft", { type: MailDraftNode, description: "The draft as it now is." }) }),
});

builder.mutationField("updateMailDraft", (t) =>
  t.field({
    type: UpdateMailDraftSuccess,
    description: "Changes a draft.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "UpdateMailDraftResult", description: "The changed draft, or why it stayed." },
    },
    args: { input: t.arg({ type: UpdateMailDraftInput, required: true, description: "The changes." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      draft: await updateDraft(deps, viewer, input.draftId, {
        to: input.to ?? undefined,
        cc: input.cc ?? undefined,
        subject: input.subject ?? undefined,
        body: input.body ?? undefined,
        attachmentIds: input.attachmentIds?.map(String),
      }),
    }),
  }),
);

const DeleteMailDraftInput = builder.inputType("DeleteMailDraftInput", {
  description: "The draft to delete.",
  fields: (t) => ({ draftId: t.id(DRAFT_ID) }),
});

const DeleteMailDraftSuccess = builder.objectRef<{ deleted: boolean }>("DeleteMailDraftSuccess").implement({
  description: "There is no such draft any more.",
  fields: (t) => ({
    deleted: t.exposeBoolean("deleted", { description: "Whether it was there; deleting twice changes nothing." }),
  }),
});

builder.mutationField("deleteMailDraft", (t) =>
  t.field({
    type: DeleteMailDraftSuccess,
    description: "Deletes a draft with its files.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "DeleteMailDraftResult", description: "That it is gone, or why not." },
    },
    args: { input: t.arg({ type: DeleteMailDraftInput, required: true, description: "The draft." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      deleted: await deleteDraft(deps, viewer, input.draftId),
    }),
  }),
);

const SendMailDraftInput = builder.inputType("SendMailDraftInput", {
  description: "The draft to send.",
  fields: (t) => ({
    draftId: t.id(DRAFT_ID),
    force: t.boolean({ description: "Answers a message that a machine wrote, too; default no." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SendMailDraftSuccess = builder.objectRef<{ mailMessage: MailMessage }>("SendMailDraftSuccess").implement({
  description: "The mail server took the letter; its draft is gone.",
  fields: (t) => ({
    mailMessage: t.expose("mailMessage", { type: MailMessageNode, description: "The letter as it left." }),
  }),
});

builder.mutationField("sendMailDraft", (t) =>
  t.field({
    type: SendMailDraftSuccess,
    complexity: 50,
    description:
      "Sends a draft, as an answer where it is one. The draft is gone as soon as its letter is kept, so it is sent once however often it is asked for.",
    errors: {
      types: REPLY_ERRORS,
      union: { name: "SendMailDraftResult", description: "The letter, or why it was not sent." },
    },
    args: { input: t.arg({ type: SendMailDraftInput, required: true, description: "The draft." }) },
    resolve: async (_root, { input }, context) => ({
      mailMessage: await sendDraft(announcingLimits(context), context.viewer, {
        draftId: input.draftId,
        force: input.force ?? false,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
    }),
  }),
);
