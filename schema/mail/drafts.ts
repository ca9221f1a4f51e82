/** Drafts of emails. */
import type { MailDraft, MailMessage, Prisma } from "../../generated/prisma/client.ts";
import { createDraft, deleteDraft, updateDraft } from "../../src/mail/outgoing/drafts.ts";
import { sendDraft } from "../../src/mail/outgoing/send-draft.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { deletedPayload } from "../deleted.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf, toGlobalId } from "../global-id.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { requireScopedAccountId } from "../owner.ts";
import { PAGES, prismaList } from "../paging.ts";
import { withRateLimitHeaders } from "../rate-limit-headers.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { MailboxNode } from "./mailbox.ts";
import { addMailboxField } from "./mailbox-field.ts";
import { MailMessageNode } from "./messages.ts";
import { ATTACHMENT_IDS, AttachmentIds, EMAIL_FIELDS } from "./sending.ts";
import { REPLY_ERRORS } from "./sending-errors.ts";

export const MailDraftNode = builder.prismaNode("MailDraft", {
  id: { field: "id", description: "The draft's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.mailDraft.findMany({
      select: { id: true },
      where: { id: { in: ids }, mailbox: { accountId: requireScopedAccountId(context, "email:read") } },
    }),
  ),
  nullable: true,
  description: "A draft of an email.",
  fields: (t) => ({
    draftId: t.exposeID("id", { description: "The draft's id, `mdr_…`, for updating and sending it." }),
    to: t.exposeStringList("toAddresses", { description: "The recipients' addresses. May be empty." }),
    cc: t.exposeStringList("ccAddresses", { description: "The addresses of copy recipients. May be empty." }),
    subject: t.exposeString("subject", { description: "The subject. May be empty." }),
    body: t.exposeString("bodyText", { description: "The plain text body. May be empty." }),
    inReplyTo: t.loadable({
      type: MailMessageNode,
      nullable: true,
      description: "The message that the draft replies to. Null for a new email, and if the message was deleted.",
      load: findMessages,
      resolve: ({ repliesToId }) => repliesToId,
    }),
    attachments: t.relation("attachments", {
      complexity: { field: 1, multiplier: 5 },
      description: "The attachments, oldest first.",
      query: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the draft was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Timestamp when the draft was last updated." }),
  }),
});

lookUpById("mailDraft", "MailDraft", MailDraftNode, "the draft");

/** Loads the caller's messages with these ids. */
async function findMessages(ids: readonly string[], context: Context): Promise<(MailMessage | null)[]> {
  const accountId = requireScopedAccountId(context, "email:read");
  const rows = await context.deps.db.prisma.mailMessage.findMany({ where: { id: { in: [...ids] }, accountId } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

builder.prismaObjectField(MailboxNode, "drafts", (t) =>
  t.connection(
    {
      type: MailDraftNode,
      ...PAGES,
      description: "The mailbox's drafts, most recently updated first.",
      resolve: ({ id: mailboxId }, args, context, info) => {
        const { mailDraft } = context.deps.db.prisma;
        const drafts = prismaList(
          { mailboxId },
          { mailboxId },
          (query: Prisma.MailDraftFindManyArgs) =>
            mailDraft.findMany({ ...query, orderBy: [{ updatedAt: "desc" }, { id: "desc" }] }),
          (query) => mailDraft.count(query),
        );
        return resolveConnection(args, context, info, drafts);
      },
    },
    { name: "MailDraftConnection", description: "A page of drafts." },
    { name: "MailDraftEdge", description: "A draft in a list." },
  ),
);

const CreateMailDraftInput = builder.inputType("CreateMailDraftInput", {
  description: "Input of `createMailDraft`. All fields are optional.",
  fields: (t) => ({
    to: t.stringList(EMAIL_FIELDS.to),
    cc: t.stringList(EMAIL_FIELDS.cc),
    subject: t.string(EMAIL_FIELDS.subject),
    body: t.string(EMAIL_FIELDS.body),
    attachmentIds: t.idList({ ...ATTACHMENT_IDS, validate: AttachmentIds }),
    inReplyToId: t.id({ description: "The id of the message to reply to.", validate: idOf("MailMessage") }),
  }),
});

const CreateMailDraftSuccess = builder.objectRef<{ draft: MailDraft }>("CreateMailDraftSuccess").implement({
  description: "The draft was created.",
  fields: (t) => ({ draft: t.expose("draft", { type: MailDraftNode, description: "The new draft." }) }),
});

addMailboxField(CreateMailDraftSuccess);

builder.mutationField("createMailDraft", (t) =>
  t.field({
    type: CreateMailDraftSuccess,
    description: "Creates a draft. A mailbox can have at most 500 drafts.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "CreateMailDraftResult", description: "The new draft, or an error." },
    },
    args: { input: t.arg({ type: CreateMailDraftInput, required: true, description: "The draft to create." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      draft: await createDraft(deps, viewer, {
        to: input.to ?? [],
        cc: input.cc ?? [],
        subject: input.subject ?? "",
        body: input.body ?? "",
        attachmentIds: input.attachmentIds ?? [],
        repliesToMessageId: input.inReplyToId ?? null,
      }),
    }),
  }),
);

const DRAFT_ID = { required: true, description: "The id of the draft." } as const;

const UpdateMailDraftInput = builder.inputType("UpdateMailDraftInput", {
  description: "Input of `updateMailDraft`. Omitted fields remain unchanged.",
  fields: (t) => ({
    id: t.id({ ...DRAFT_ID, validate: idOf("MailDraft") }),
    to: t.stringList(EMAIL_FIELDS.to),
    cc: t.stringList(EMAIL_FIELDS.cc),
    subject: t.string(EMAIL_FIELDS.subject),
    body: t.string(EMAIL_FIELDS.body),
    attachmentIds: t.idList({
      description: `The complete list of attachments; others are removed. ${ATTACHMENT_IDS.description}`,
      validate: AttachmentIds,
    }),
  }),
});

const UpdateMailDraftSuccess = builder.objectRef<{ draft: MailDraft }>("UpdateMailDraftSuccess").implement({
  description: "The draft was updated.",
  fields: (t) => ({ draft: t.expose("draft", { type: MailDraftNode, description: "The updated draft." }) }),
});

addMailboxField(UpdateMailDraftSuccess);

builder.mutationField("updateMailDraft", (t) =>
  t.field({
    type: UpdateMailDraftSuccess,
    description: "Updates a draft.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "UpdateMailDraftResult", description: "The updated draft, or an error." },
    },
    args: {
      input: t.arg({
        type: UpdateMailDraftInput,
        required: true,
        description: "The draft to update, and the changes.",
      }),
    },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      draft: await updateDraft(deps, viewer, input.id, {
        to: input.to ?? undefined,
        cc: input.cc ?? undefined,
        subject: input.subject ?? undefined,
        body: input.body ?? undefined,
        attachmentIds: input.attachmentIds ?? undefined,
      }),
    }),
  }),
);

const DeleteMailDraftInput = builder.inputType("DeleteMailDraftInput", {
  description: "Input of `deleteMailDraft`.",
  fields: (t) => ({ id: t.id({ ...DRAFT_ID, validate: idOf("MailDraft") }) }),
});

const DeleteMailDraftSuccess = deletedPayload(
  "DeleteMailDraftSuccess",
  "MailDraft",
  "The draft was deleted with its attachments.",
);

addMailboxField(DeleteMailDraftSuccess);

builder.mutationField("deleteMailDraft", (t) =>
  t.field({
    type: DeleteMailDraftSuccess,
    description: "Deletes a draft with its attachments.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "DeleteMailDraftResult", description: "The id of the deleted draft, or an error." },
    },
    args: { input: t.arg({ type: DeleteMailDraftInput, required: true, description: "The draft to delete." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      await deleteDraft(deps, viewer, input.id);
      return { deletedId: input.id };
    },
  }),
);

const SendMailDraftInput = builder.inputType("SendMailDraftInput", {
  description: "Input of `sendMailDraft`.",
  fields: (t) => ({
    id: t.id({ ...DRAFT_ID, validate: idOf("MailDraft") }),
    force: t.boolean({ description: "Whether to reply even if the original message is automated. Default: false." }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const SendMailDraftSuccess = builder
  .objectRef<{ mailMessage: MailMessage; draftId: string }>("SendMailDraftSuccess")
  .implement({
    description: "The mail server accepted the email. The draft was deleted.",
    fields: (t) => ({
      mailMessage: t.expose("mailMessage", { type: MailMessageNode, description: "The sent message." }),
      deletedDraftId: t.id({
        description: "The global id of the deleted draft, for removing it from a cache.",
        resolve: ({ draftId }) => toGlobalId("MailDraft", draftId),
      }),
    }),
  });
addMailboxField(SendMailDraftSuccess);

builder.mutationField("sendMailDraft", (t) =>
  t.field({
    type: SendMailDraftSuccess,
    complexity: 50,
    description:
      "Sends a draft, as a reply if it has `inReplyTo`. The draft is deleted when its email is stored, so repeated calls do not send it twice.",
    errors: {
      types: REPLY_ERRORS,
      union: { name: "SendMailDraftResult", description: "The sent message, or an error." },
    },
    args: { input: t.arg({ type: SendMailDraftInput, required: true, description: "The draft to send." }) },
    resolve: async (_root, { input }, context) => ({
      draftId: input.id,
      mailMessage: await sendDraft(withRateLimitHeaders(context), context.viewer, {
        draftId: input.id,
        force: input.force ?? false,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
    }),
  }),
);
