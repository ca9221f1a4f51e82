/** The suppression list of an account: recipients to whom its email is not sent. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { removeMailSuppression, type SuppressionReason } from "../../src/mail/deliveries/suppressions.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { deletedPayload } from "../deleted.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { wireEnum } from "../wire-enum.ts";
import { MailboxNode } from "./mailbox.ts";

const MailSuppressionReason = wireEnum<SuppressionReason>("MailSuppressionReason", "Why a recipient is suppressed.", {
  bounce: "An email bounced because the address does not exist or is disabled.",
  complaint: "The recipient reported an email as spam.",
});

export const MailSuppressionNode = builder.prismaNode("MailSuppression", {
  id: { field: "id", description: "The suppression's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.mailSuppression.findMany({
      select: { id: true },
      where: { id: { in: ids }, accountId: requireScopedAccountId(context, "email:read") },
    }),
  ),
  nullable: true,
  description: "A recipient to whom the account's email is not sent.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address, in lower case." }),
    reason: t.field({
      type: MailSuppressionReason,
      description: "Why the recipient is suppressed.",
      resolve: ({ reason }) => reason as SuppressionReason,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the bounce or complaint." }),
  }),
});

builder.objectField(MailboxNode, "suppressions", (t) =>
  t.connection(
    {
      type: MailSuppressionNode,
      ...PAGES,
      description:
        "The recipients to whom the account's email is not sent, newest first. Email of other accounts is unaffected.",
      resolve: ({ accountId }, args, context, info) => {
        const { mailSuppression } = context.deps.db.prisma;
        const suppressions = prismaList(
          { accountId },
          { accountId },
          (query: Prisma.MailSuppressionFindManyArgs) => mailSuppression.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => mailSuppression.count(query),
        );
        return resolveConnection(args, context, info, suppressions);
      },
    },
    { name: "MailSuppressionConnection", description: "A page of suppressed recipients." },
    { name: "MailSuppressionEdge", description: "A suppressed recipient in a list." },
  ),
);

const RemoveMailSuppressionInput = builder.inputType("RemoveMailSuppressionInput", {
  description: "Input of `removeMailSuppression`.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The suppression's id.", validate: idOf("MailSuppression") }),
  }),
});

const RemoveMailSuppressionSuccess = deletedPayload(
  "RemoveMailSuppressionSuccess",
  "MailSuppression",
  "The recipient is no longer suppressed.",
);

builder.mutationField("removeMailSuppression", (t) =>
  t.field({
    type: RemoveMailSuppressionSuccess,
    description: "Removes a recipient from the suppression list, so that email is sent to it again.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RemoveMailSuppressionResult", description: "The id of the removed suppression, or an error." },
    },
    args: { input: t.arg({ type: RemoveMailSuppressionInput, required: true, description: "The suppression." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      await removeMailSuppression(deps, viewer, id);
      return { deletedId: id };
    },
  }),
);
