/** Dry runs: a merchant's checkout up to the point where a purchase would use the card. */
import { DRY_RUN_VALID_MS, readDryRun } from "../../src/checkout/dry-run/latest-dry-run.ts";
import { startDryRun } from "../../src/checkout/dry-run/start-dry-run.ts";
import { createLiveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import type { DryRun } from "../../src/checkout/worker-protocol/dry-run.ts";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { QUOTE_CART_ERRORS } from "./errors.ts";
import { CartRequestFields } from "./input.ts";
import { CheckoutOrderNode } from "./orders.ts";

const DryRunMissingFieldType = builder.objectRef<DryRun["missingFields"][number]>("DryRunMissingField").implement({
  description: "A required field of a merchant's checkout for which the order has no value.",
  fields: (t) => ({
    purpose: t.exposeString("purpose", {
      description: "The purpose, such as `phone` or `company`; `other` if it is not recognised.",
    }),
    label: t.exposeString("label", { description: "The label on the merchant's page. Untrusted text." }),
  }),
});

const CheckoutDryRunType = builder.objectRef<DryRun & { readonly completedAt: Date }>("CheckoutDryRun").implement({
  description: "The result of a dry run. Nothing was ordered, and no card was used.",
  fields: (t) => ({
    isAtPayment: t.exposeBoolean("isAtPayment", {
      description: "Whether the page was reached at which a purchase would use the card. Only then the total is final.",
    }),
    total: t.field({
      type: MoneyType,
      nullable: true,
      description: "The total of the last page. Null if it states none.",
      resolve: ({ totalMinor, currency }) => toMoney(totalMinor, currency),
    }),
    tax: t.field({
      type: MoneyType,
      nullable: true,
      description: "The tax that the page states, included in the total or added. Null if it states none.",
      resolve: ({ taxMinor, currency }) => toMoney(taxMinor, currency),
    }),
    missingFields: t.expose("missingFields", {
      type: [DryRunMissingFieldType],
      description:
        "Required fields for which the order has no value. A purchase prompts the account owner for them, or ends.",
    }),
    validUntil: t.field({
      type: "DateTime",
      description: "Timestamp until which a quote of the same cart states the total as its final amount.",
      resolve: ({ completedAt }) => new Date(completedAt.getTime() + DRY_RUN_VALID_MS),
    }),
  }),
});

builder.prismaObjectField(CheckoutOrderNode, "dryRun", (t) =>
  t.field({
    type: CheckoutDryRunType,
    nullable: true,
    description: "The result of a dry run. Null for other orders, and until the dry run has ended.",
    select: { dryRun: true, completedAt: true },
    resolve: (order) => {
      const dryRun = readDryRun(order);
      return dryRun && order.completedAt && { ...dryRun, completedAt: order.completedAt };
    },
  }),
);

const StartDryRunInput = builder.inputType("StartDryRunInput", {
  description: "The cart of the dry run.",
  fields: (t) => CartRequestFields(t),
});

const StartDryRunSuccess = builder.objectRef<{ readonly orderId: string }>("StartDryRunSuccess").implement({
  description: "The dry run has started.",
  fields: (t) => ({
    order: t.prismaField({
      type: CheckoutOrderNode,
      description: "The order of the dry run. Its final status is `explored`; it then has `dryRun`.",
      resolve: (query, { orderId }, _args, { deps }) =>
        deps.db.prisma.checkoutOrder.findUniqueOrThrow({ ...query, where: { id: orderId } }),
    }),
    liveViewUrl: t.field({
      type: "Url",
      description: "Live view of the dry run, valid for 15 minutes.",
      resolve: ({ orderId }, _args, { deps }) => createLiveViewUrl(deps, { id: orderId }, { mayAct: false }),
    }),
  }),
});

builder.mutationField("startDryRun", (t) =>
  t.field({
    type: StartDryRunSuccess,
    complexity: 50,
    authScopes: { account: true },
    description:
      "Fills in a merchant's checkout up to the point where a purchase would use the card, and reads total, tax and missing fields. Uses no card and orders nothing, but the merchant sees name, address and email. The checkout policy must permit that merchant. The result is valid for 15 minutes: a quote of the same cart then has the payment page's total as its final amount. Repeating a request in progress returns the same order.",
    errors: {
      types: [...QUOTE_CART_ERRORS, RateLimitedError],
      union: {
        name: "StartDryRunResult",
        description: "The dry run, or an error. After an error no dry run was started.",
      },
    },
    args: { input: t.arg({ type: StartDryRunInput, required: true, description: "The cart." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ orderId: await startDryRun(deps, viewer, input) }),
  }),
);
