/** Reports about sent messages: what they claim, and whether that is proven. */
import { z } from "zod";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";
import { MailMessageNode } from "./messages.ts";

const ACTIONS = {
  failed: "The message was not delivered.",
  delayed: "Delivery is delayed and still retried.",
  delivered: "The message was delivered.",
  relayed: "The message was passed to a server that sends no reports.",
  expanded: "The message was passed to the members of a list.",
  complained: "The recipient reported the message as spam.",
};

const MailReportAction = wireEnum<keyof typeof ACTIONS>(
  "MailReportAction",
  "What a report claims about a recipient (RFC 3464, RFC 5965).",
  ACTIONS,
);

const ReportedRecipient = z.object({
  address: z.string(),
  action: z.enum(["failed", "delayed", "delivered", "relayed", "expanded", "complained"]),
  status: z.string(),
  reason: z.string(),
});
const Report = z.object({ isVerified: z.boolean(), recipients: z.array(ReportedRecipient) });

const MailReportRecipient = builder.objectRef<z.output<typeof ReportedRecipient>>("MailReportRecipient").implement({
  description: "What a report claims about one recipient.",
  fields: (t) => ({
    address: t.string({
      nullable: true,
      description: "The recipient's address. Null if the report does not name it.",
      resolve: ({ address }) => address || null,
    }),
    action: t.expose("action", { type: MailReportAction, description: "What happened to the message." }),
    statusCode: t.string({
      nullable: true,
      description: "The enhanced status code (RFC 3463), such as `5.1.1`. Null if the report has none.",
      resolve: ({ status }) => status || null,
    }),
    reason: t.exposeString("reason", { description: "The text of the server that reported." }),
  }),
});

const MailReport = builder.objectRef<z.output<typeof Report>>("MailReport").implement({
  description: "A report about a sent message.",
  fields: (t) => ({
    isVerified: t.exposeBoolean("isVerified", {
      description:
        "Whether it arrived at the return path of the message it concerns. Only then it changed the state of a delivery. Anyone can send other reports.",
    }),
    recipients: t.field({
      type: [MailReportRecipient],
      description: "The recipients that it names. Empty for read receipts.",
      resolve: ({ recipients }) => recipients,
    }),
  }),
});

builder.objectField(MailMessageNode, "report", (t) =>
  t.field({
    type: MailReport,
    nullable: true,
    description:
      "What the message reports about an earlier one; `automated` is the kind of report. Null if it is no report.",
    resolve: ({ report }) => Report.safeParse(report).data ?? null,
  }),
);
