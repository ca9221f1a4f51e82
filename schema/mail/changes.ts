/** Mutations that mark messages as read and delete them. */
import { z } from "zod";
import type { MailMessage } from "../../generated/prisma/client.ts";
import { type DeletedMail, deleteMail } from "../../src/mail/reading/delete-mail.ts";
import { MAX_MESSAGES_AT_ONCE, markMailRead } from "../../src/mail/reading/mark-read.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf, toGlobalId } from "../global-id.ts";
import { addMailboxField } from "./mailbox-field.ts";
import { MailMessageNode } from "./messages.ts";
import { MailThreadNode } from "./threads.ts";

const MESSAGE_IDS = `The ids of 1 to ${MAX_MESSAGES_AT_ONCE} messages.`;

const MarkMailReadInput = builder.inputType("MarkMailReadInput", {
  description: "Input of `markMailRead`.",
  fields: (t) => ({
    messageIds: t.idList({ required: true, description: MESSAGE_IDS, validate: z.array(idOf("MailMessage")) }),
    isRead: t.boolean({
      required: true,
      defaultValue: true,
      description: "Whether to mark the messages as read or as unread. Default: true.",
    }),
  }),
});

const MarkMailReadSuccess = builder.objectRef<{ messages: MailMessage[] }>("MarkMailReadSuccess").implement({
  description: "The messages were marked.",
  fields: (t) => ({
    messages: t.expose("messages", {
      type: [MailMessageNode],
      complexity: { field: 1, multiplier: 20 },
      description: "The updated messages, in the order of `messageIds`.",
    }),
  }),
});

addMailboxField(MarkMailReadSuccess);

builder.mutationField("markMailRead", (t) =>
  t.field({
    type: MarkMailReadSuccess,
    description: "Marks messages as read or unread. Idempotent.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "MarkMailReadResult", description: "The marked messages, or an error. On error none is marked." },
    },
    args: { input: t.arg({ type: MarkMailReadInput, required: true, description: "The messages to mark." }) },
    resolve: async (_root, { input: { messageIds, isRead } }, { deps, viewer }) => {
      const ids = await markMailRead(deps, viewer, { messageIds, isRead });
      const rows = await deps.db.prisma.mailMessage.findMany({ where: { id: { in: ids } } });
      return { messages: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []) };
    },
  }),
);

const DeleteMailInput = builder.inputType("DeleteMailInput", {
  description: "Input of `deleteMail`.",
  fields: (t) => ({
    messageIds: t.idList({ required: true, description: MESSAGE_IDS, validate: z.array(idOf("MailMessage")) }),
  }),
});

const DeleteMailSuccess = builder.objectRef<DeletedMail>("DeleteMailSuccess").implement({
  description: "The messages were deleted, with their attachments and with threads that became empty.",
  fields: (t) => ({
    deletedIds: t.idList({
      description: "The global ids of the deleted messages, for removing them from a cache.",
      resolve: ({ messageIds }) => messageIds.map((id) => toGlobalId("MailMessage", id)),
    }),
    deletedThreadIds: t.idList({
      description: "The global ids of the deleted threads, for removing them from a cache.",
      resolve: ({ deletedThreadIds }) => deletedThreadIds.map((id) => toGlobalId("MailThread", id)),
    }),
    threads: t.prismaField({
      type: [MailThreadNode],
      complexity: { field: 1, multiplier: 20 },
      description: "The threads that lost messages and still have others.",
      resolve: (query, { changedThreadIds }, _args, { deps }) =>
        deps.db.prisma.mailThread.findMany({ ...query, where: { id: { in: [...changedThreadIds] } } }),
    }),
  }),
});
addMailboxField(DeleteMailSuccess);

builder.mutationField("deleteMail", (t) =>
  t.field({
    type: DeleteMailSuccess,
    description: "Permanently deletes messages. Queued messages cannot be deleted.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "DeleteMailResult", description: "The deleted messages, or an error. On error none is deleted." },
    },
    args: { input: t.arg({ type: DeleteMailInput, required: true, description: "The messages to delete." }) },
    resolve: (_root, { input }, { deps, viewer }) => deleteMail(deps, viewer, input),
  }),
);
