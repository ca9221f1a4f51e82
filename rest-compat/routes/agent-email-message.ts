import { z } from "zod";
import { AgentEmailMessageDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { MESSAGE_EXAMPLE, MessageShape, messageOf, NO_MAILBOX } from "./agent-email-message-shape.ts";

/** What is of another form is nobody's message. */
const messageForm = (id: string) => (/^aem_\w{1,76}$/.test(id) ? id : "aem_none");

export const agentEmailMessage = defineRoute({
  method: "GET",
  path: "/api/agent/email/messages/{id}",
  dialect: "native",
  summary: "One message of the agent's mail",
  description: "The message as the inbox shows it. Looking at it does not mark it as read.",
  scope: "email:read",
  movesMoney: false,
  pathParameters: z.object({
    id: z.string().transform(messageForm).meta({ description: "The message's `id`." }),
  }),
  query: z.object({}),
  body: null,
  document: AgentEmailMessageDocument,
  variables: ({ path }) => ({ messageId: path["id"] ?? "" }),
  fieldNames: { messageId: "id" },
  answer({ viewer }) {
    if (!viewer) return null;
    if (!viewer.mailbox) return NO_MAILBOX;
    const { message } = viewer.mailbox;
    if (message) return messageOf(message);
    return { ...NO_MAILBOX, message: "There is no such message in this mailbox. Messages are kept for 30 days." };
  },
  success: { description: "The message.", schema: MessageShape, example: MESSAGE_EXAMPLE },
  errors: ["forbidden", "not_found"],
});
