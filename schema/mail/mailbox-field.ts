import { builder } from "../builder.ts";
import type { ObjectType } from "../by-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { MailboxNode } from "./mailbox.ts";

/** Adds `mailbox` to the payload of a mutation, so that clients update its counters and lists. */
export function addMailboxField<Payload>(payload: ObjectType<Payload>): void {
  builder.objectField(payload, "mailbox", (t) =>
    t.prismaField({
      type: MailboxNode,
      description: "The mailbox after the change.",
      resolve: (query, _payload, _args, context) =>
        context.deps.db.prisma.mailbox.findUniqueOrThrow({
          ...query,
          where: { accountId: requireScopedAccountId(context, "email:read") },
        }),
    }),
  );
}
