/** Placing orders that were quoted and approved: the one operation that spends a person's money by card. */
import type { RequiredApproval } from "../../src/checkout/approvals/approvals.ts";
import { dispatchOrder } from "../../src/checkout/dispatch/dispatch-order.ts";
import {
  AmountChangedError,
  ConstraintViolatedError,
  PickupUnresolvedError,
  ShipToMismatchError,
} from "../../src/checkout/dispatch/errors.ts";
import type { PlacedOrder } from "../../src/checkout/dispatch/place-order.ts";
import {
  CatalogUnavailableError,
  ConstraintsInvalidError,
  NotShopifyError,
  ShipToInvalidError,
  ShipToUnsupportedError,
  ShipToWithPickupError,
  SkuNotFoundError,
} from "../../src/checkout/errors.ts";
import { liveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { workerJobIdOf } from "../../src/checkout/orders/leases.ts";
import { APPROVAL_REASONS } from "../../src/checkout/policy/evaluate-policy.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, errorOf, IDEMPOTENCY_ERRORS } from "../errors.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { StorableText } from "../text.ts";
import { PurchaseApprovalNode } from "./approvals.ts";
import { CartRequestFields } from "./input.ts";
import { CheckoutOrderNode } from "./orders.ts";
import { PickupResolutionType } from "./quote.ts";

builder.objectType(ShipToMismatchError, {
  name: "ShipToMismatchError",
  ...errorOf("The order would go elsewhere than what was quoted or approved. No card was used."),
});

builder.objectType(ConstraintViolatedError, {
  name: "ConstraintViolatedError",
  ...errorOf("A cap does not hold on the fresh cart, or is another than was quoted or approved. No card was used."),
  fields: (t) => ({
    violation: t.exposeString("violation", {
      nullable: true,
      description:
        "The quote's code for it, such as `constraint_total_exceeded`; null: the caps are others than before.",
    }),
    allowedMinor: t.expose("allowedMinor", { type: "MinorAmount", nullable: true, description: "The cap." }),
    foundMinor: t.expose("foundMinor", { type: "MinorAmount", nullable: true, description: "What it would be." }),
  }),
});

builder.objectType(AmountChangedError, {
  name: "AmountChangedError",
  ...errorOf("The fresh cart is not what was quoted or approved any more. No card was used."),
  fields: (t) => ({
    approvedMinor: t.expose("approvedMinor", { type: "MinorAmount", description: "The figure that was sent." }),
    expectedMinor: t.expose("expectedMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "What a quote would say now; null where the shop cannot serve it any more.",
    }),
    pricedIn: t.exposeString("pricedIn", { description: "The currency the shop prices it in (ISO 4217)." }),
  }),
});

builder.objectType(PickupUnresolvedError, {
  name: "PickupUnresolvedError",
  ...errorOf("It is not clear which store the order is to be collected from. No card was used."),
  fields: (t) => ({
    resolution: t.expose("resolution", { type: PickupResolutionType, description: "The stores there are." }),
  }),
});

const DispatchOrderInput = builder.inputType("DispatchOrderInput", {
  description: "What was quoted, and what its person said to it. `shipTo` and `constraints` are those of the quote.",
  fields: (t) => ({
    ...CartRequestFields(t),
    amountMinor: t.field({
      type: "MinorAmount",
      required: true,
      description: "The quote's `expectedAmountMinor`: what its person approved.",
    }),
    currency: t.string({ description: "Its currency (ISO 4217), to have it compared." }),
    cardId: t.string({
      validate: StorableText,
      description: "The card's own id (`card_…`); default the default card.",
    }),
    userConfirmationText: t.string({
      required: true,
      validate: StorableText,
      description: "The person's literal reply, kept as evidence: never paraphrase it.",
    }),
    userApprovedAt: t.field({ type: "DateTime", required: true, description: "When they gave it." }),
    userPrompt: t.string({ validate: StorableText, description: "What they asked for; shown on the receipt." }),
    shipToSha256: t.string({
      validate: StorableText,
      description: "The quote's `shipToSha256`, to have the destination compared with it.",
    }),
    approvalToken: t.string({
      validate: StorableText,
      description: "Once they approved a purchase outside of their policy; everything else exactly as it was.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const RequiredApprovalType = builder.objectRef<RequiredApproval>("RequiredApproval").implement({
  description: "What its person is asked for before the order goes on its way.",
  fields: (t) => ({
    approvalToken: t.exposeString("token", {
      description:
        "Poll with it, and then dispatch the same again with it. For this caller alone; an earlier one is good no more.",
    }),
    approvalUrl: t.expose("url", { type: "Url", description: "Show it to the person: they decide there." }),
    expiresInSeconds: t.exposeInt("expiresInSeconds", { description: "Whole seconds until it is over." }),
    reason: t.exposeString("reason", { description: "Why the policy does not cover it, such as `above_order_limit`." }),
    reasonText: t.string({
      description: "The same in words for a person.",
      resolve: ({ reason }) => APPROVAL_REASONS[reason],
    }),
    approval: t.prismaField({
      type: PurchaseApprovalNode,
      description: "The approval itself.",
      resolve: (query, { approvalId }, _args, { deps }) =>
        deps.db.prisma.checkoutApproval.findUniqueOrThrow({ ...query, where: { id: approvalId } }),
    }),
  }),
});

const DispatchOrderSuccess = builder.objectRef<PlacedOrder>("DispatchOrderSuccess").implement({
  description: "The order: on its way, waiting for its person, or as it ended when it was dispatched before.",
  fields: (t) => ({
    order: t.prismaField({
      type: CheckoutOrderNode,
      description: "The order. Poll it, or follow it, until it has ended.",
      resolve: (query, { orderId }, _args, { deps }) =>
        deps.db.prisma.checkoutOrder.findUniqueOrThrow({ ...query, where: { id: orderId } }),
    }),
    workerJobId: t.string({
      description: "The job of the worker that places it.",
      resolve: ({ orderId }) => workerJobIdOf(orderId),
    }),
    liveViewUrl: t.field({
      type: "Url",
      description: "Where it is watched, for 15 minutes; the order's page shows the same.",
      resolve: ({ orderId }, _args, { deps }) => liveViewUrl(deps, { id: orderId }, { mayAct: false }),
    }),
    requiredApproval: t.field({
      type: RequiredApprovalType,
      nullable: true,
      description: "What its person is asked for first; null where nothing is, or another caller asks.",
      resolve: ({ approval }) => approval,
    }),
  }),
});

builder.mutationField("dispatchOrder", (t) =>
  t.field({
    type: DispatchOrderSuccess,
    complexity: 100,
    authScopes: { account: true },
    extensions: { movesMoney: true },
    description:
      "Places an order at a shop, once. The same dispatch again is the same order; anything that differs from what was quoted or approved is refused before any card is used.",
    errors: {
      types: [
        ...BOUNDED_ERRORS,
        ...IDEMPOTENCY_ERRORS,
        ShipToInvalidError,
        ShipToUnsupportedError,
        ShipToWithPickupError,
        ShipToMismatchError,
        ConstraintsInvalidError,
        ConstraintViolatedError,
        AmountChangedError,
        PickupUnresolvedError,
        SkuNotFoundError,
        CatalogUnavailableError,
        NotShopifyError,
      ],
      union: { name: "DispatchOrderResult", description: "The order, or why there is none." },
    },
    args: { input: t.arg({ type: DispatchOrderInput, required: true, description: "What to order." }) },
    resolve: (_root, { input }, context) =>
      dispatchOrder(context.deps, context.viewer, {
        ...input,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
  }),
);
