/** Marking messages as read, and deleting them. */
import type { MailMessage } from "../../generated/prisma/client.ts";
import { deleteMail } from "../../src/mail/reading/delete-mail.ts";
import { MAX_MESSAGES_AT_ONCE, markMailRead } from "../../src/mail/reading/mark-read.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { readOwnId } from "../global-id.ts";
import { MailMessageNode } from "./messages.ts";

const MESSAGE_IDS = `The messages, by their own ids or their global ids; at most ${MAX_MESSAGES_AT_ONCE}.`;
const readIds = (ids: readonly string[]) => ids.map((id) => readOwnId("MailMessage", id, "messageIds"));

const MarkMailReadInput = builder.inputType("MarkMailReadInput", {
  description: "What to mark.",
  fields: (t) => ({
    messageIds: t.idList({ required: true, description: MESSAGE_IDS }),
    isRead: t.boolean({ required: true, defaultValue: true, description: "As read, or as not read." }),
  }),
});

const MarkMailReadSuccess = builder.objectRef<{ messages: MailMessage[] }>("MarkMailReadSuccess").implement({
  description: "The messages are marked.",
  fields: (t) => ({
    messages: t.expose("messages", {
      type: [MailMessageNode],
      complexity: { field: 1, multiplier: 20 },
      description: "The messages as they now are, in the order given.",
    }),
  }),
});

builder.mutationField("markMailRead", (t) =>
  t.field({
    type: MarkMailReadSuccess,
    description: "Marks messages as read, or as not read. Again changes nothing.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "MarkMailReadResult", description: "The marked messages, or why none was marked." },
    },
    args: { input: t.arg({ type: MarkMailReadInput, required: true, description: "What to mark." }) },
    resolve: async (_root, { input: { messageIds, isRead } }, { deps, viewer }) => {
      const ids = await markMailRead(deps, viewer, { messageIds: readIds(messageIds), isRead });
      const rows = await deps.db.prisma.mailMessage.findMany({ where: { id: { in: ids } } });
      return { messages: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []) };
    },
  }),
);

const DeleteMailInput = builder.inputType("DeleteMailInput", {
  description: "What to delete.",
  fields: (t) => ({ messageIds: t.idList({ required: true, description: MESSAGE_IDS }) }),
});

const DeleteMailSuccess = builder.objectRef<{ messageIds: string[] }>("DeleteMailSuccess").implement({
  description: "The messages are gone, with their files and threads that they left empty.",
  fields: (t) => ({
    messageIds: t.exposeIDList("messageIds", { description: "The own ids of the messages that are gone." }),
  }),
});

builder.mutationField("deleteMail", (t) =>
  t.field({
    type: DeleteMailSuccess,
    description: "Deletes messages for good. One that still waits to be sent is refused.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "DeleteMailResult", description: "What is gone, or why nothing is." },
    },
    args: { input: t.arg({ type: DeleteMailInput, required: true, description: "What to delete." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      messageIds: await deleteMail(deps, viewer, { messageIds: readIds(input.messageIds) }),
    }),
  }),
);
