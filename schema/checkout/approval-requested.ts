import type { CheckoutApproval } from "../../generated/prisma/client.ts";
import { approvalChannel } from "../../src/checkout/approvals/approval-events.ts";
import { pendingWhere } from "../../src/checkout/approvals/approvals.ts";
import { builder } from "../builder.ts";
import { requireAccountId } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { ApprovalInterface } from "./approvals.ts";

const ApprovalRequest = builder.objectRef<Update<CheckoutApproval>>("ApprovalRequest").implement({
  description: "An approval that waits for the account owner.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    approval: t.field({ type: ApprovalInterface, description: "The approval.", resolve: ({ row }) => row }),
  }),
});

builder.subscriptionField("approvalRequested", (t) =>
  t.field({
    type: ApprovalRequest,
    ...RESUMABLE,
    description: `Publishes each approval that waits for the account owner. ${describeResumption("was requested")}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) => {
      const accountId = requireAccountId(context);
      const { pubsub, db } = context.deps;
      const waiting = () => ({ accountId, AND: pendingWhere() });
      return watchRows({
        changeColumn: "createdAt",
        listen: () => pubsub.subscribe(approvalChannel(accountId)),
        find: (id) => db.prisma.checkoutApproval.findFirst({ where: { id, ...waiting() } }),
        findSince: ({ where, ...page }) =>
          db.prisma.checkoutApproval.findMany({ where: { ...waiting(), ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);
