import { z } from "zod";
import { AgentEmailMessageDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { MESSAGE_EXAMPLE, MessageShape, NO_MAILBOX, toMessage } from "./agent-email-message-shape.ts";

/** Returns the message ID, or `aem_none` if its form is invalid, which then is not found. */
const messageIdOrNone = (id: string) => (/^aem_\w{1,76}$/.test(id) ? id : "aem_none");

export const agentEmailMessage = defineRoute({
  method: "GET",
  path: "/api/agent/email/messages/{id}",
  dialect: "native",
  summary: "Get a message",
  description: "Returns a message in the same form as the inbox. Reading it does not mark it as read.",
  movesMoney: false,
  pathParameters: z.object({
    id: z.string().transform(messageIdOrNone).meta({ description: "The message's `id`." }),
  }),
  query: z.object({}),
  body: null,
  document: AgentEmailMessageDocument,
  variables: ({ path }) => ({ messageId: path["id"] ?? "" }),
  fieldNames: { messageId: "id" },
  toResponse({ viewer, mailMessage }) {
    if (!viewer) return null;
    if (!viewer.mailbox) return NO_MAILBOX;
    if (mailMessage) return toMessage(mailMessage);
    return { ...NO_MAILBOX, message: "Message not found in this mailbox. Messages are stored for 30 days." };
  },
  success: { description: "The message.", schema: MessageShape, example: MESSAGE_EXAMPLE },
  errors: ["forbidden", "not_found"],
});
