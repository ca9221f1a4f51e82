/** Dispatch of quoted and approved orders, the only operation that charges a card. */
import type { RequiredApproval } from "../../src/checkout/approvals/approvals.ts";
import { dispatchOrder } from "../../src/checkout/dispatch/dispatch-order.ts";
import {
  AmountChangedError,
  ConstraintViolatedError,
  type ConstraintViolation,
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
import { createLiveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import type { ConfirmationSource } from "../../src/checkout/order-request.ts";
import { toWorkerJobId } from "../../src/checkout/orders/leases.ts";
import { APPROVAL_REASONS } from "../../src/checkout/policy/evaluate-policy.ts";
import { MoneyType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, createErrorOptions, IDEMPOTENCY_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { StorableText } from "../text.ts";
import { wireEnum } from "../wire-enum.ts";
import { ApprovalReasonEnum, PurchaseApprovalNode } from "./approvals.ts";
import { CartRequestFields } from "./input.ts";
import { CheckoutOrderNode } from "./orders.ts";
import { PickupResolutionType } from "./quote.ts";

builder.objectType(ShipToMismatchError, {
  name: "ShipToMismatchError",
  ...createErrorOptions("The destination differs from the quoted or approved one. No card was used."),
});

const ConstraintViolationEnum = wireEnum<ConstraintViolation>(
  "ConstraintViolation",
  "The cap that a cart exceeds. Each is also an error code of the quote.",
  {
    constraint_total_exceeded: "The total exceeds its cap.",
    constraint_shipping_exceeded: "The delivery price exceeds its cap.",
    constraint_subtotal_exceeded: "The price of the goods exceeds its cap.",
    constraint_item_exceeded: "The price of an item exceeds the cap per item.",
    constraint_unverifiable: "The merchant prices delivery only at checkout, so a cap cannot be verified in advance.",
  },
);

builder.objectType(ConstraintViolatedError, {
  name: "ConstraintViolatedError",
  ...createErrorOptions(
    "The merchant's current cart exceeds a cap, or the caps differ from the quoted or approved ones. No card was used.",
  ),
  fields: (t) => ({
    violation: t.expose("violation", {
      type: ConstraintViolationEnum,
      nullable: true,
      description: "The exceeded cap. Null if the caps themselves differ.",
    }),
    allowed: t.expose("allowed", {
      type: MoneyType,
      nullable: true,
      description: "The amount of the exceeded cap. Null unless an amount exceeds it.",
    }),
    found: t.expose("found", {
      type: MoneyType,
      nullable: true,
      description: "The actual amount. Null unless it exceeds a cap.",
    }),
  }),
});

builder.objectType(AmountChangedError, {
  name: "AmountChangedError",
  ...createErrorOptions("The merchant's current cart differs from the quoted or approved one. No card was used."),
  fields: (t) => ({
    approved: t.expose("approved", { type: MoneyType, description: "The approved amount." }),
    expected: t.expose("expected", {
      type: MoneyType,
      nullable: true,
      description:
        "The amount of a new quote at the current price. Null if the merchant can no longer fulfil the order.",
    }),
    pricedIn: t.expose("pricedIn", {
      type: "CurrencyCode",
      description: "The currency in which the merchant prices the cart.",
    }),
  }),
});

builder.objectType(PickupUnresolvedError, {
  name: "PickupUnresolvedError",
  ...createErrorOptions("The pickup location does not identify exactly one store. No card was used."),
  fields: (t) => ({
    resolution: t.expose("resolution", { type: PickupResolutionType, description: "The candidate stores." }),
  }),
});

const ConfirmationSourceEnum = wireEnum<ConfirmationSource>(
  "ConfirmationSource",
  "Who supplied the text of a confirmation, if not the user.",
  {
    reported_by_agent: "An agent reports the user's reply. The evidence of the order states this source.",
    elicited_by_client:
      "The agent's client showed the user a form (MCP elicitation). The model did not write the reply. The evidence states this source.",
  },
);

const DispatchOrderInput = builder.inputType("DispatchOrderInput", {
  description: "A quoted cart and the user's approval. `shipTo` and `constraints` must equal those of the quote.",
  fields: (t) => ({
    ...CartRequestFields(t),
    amountMinor: t.field({
      type: "MinorAmount",
      required: true,
      description: "The `amountMinor` of the quote's `expectedAmount`, as approved by the user.",
    }),
    currency: t.field({
      type: "CurrencyCode",
      description: "The currency of the amount. If given, it must equal the quote's currency.",
    }),
    cardId: t.id({
      description: "The id of the card. Default: the account's default card.",
      validate: idOf("PaymentCard"),
    }),
    userConfirmationText: t.string({
      required: true,
      validate: StorableText,
      description: "The user's literal reply, stored as evidence. Do not paraphrase it.",
    }),
    userApprovedAt: t.field({ type: "DateTime", required: true, description: "Timestamp of the reply." }),
    userConfirmationSource: t.field({
      type: ConfirmationSourceEnum,
      description: "Who supplied the reply. By default it counts as the user's own words.",
    }),
    userPrompt: t.string({
      validate: StorableText,
      description: "The user's original request; displayed on the receipt.",
    }),
    shipToSha256: t.string({
      validate: StorableText,
      description: "The quote's `shipToSha256`. If given, it must be the digest of `shipTo`.",
    }),
    approvalToken: t.string({
      validate: StorableText,
      description:
        "The token of an approved purchase outside the policy. All other fields must equal those of the first dispatch.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const RequiredApprovalType = builder.objectRef<RequiredApproval>("RequiredApproval").implement({
  description: "An approval that the account owner must give before the order is placed.",
  fields: (t) => ({
    approvalToken: t.exposeString("token", {
      description:
        "Token for polling, and for repeating the dispatch after the approval. Valid for this caller only; invalidates earlier tokens.",
    }),
    approvalUrl: t.expose("url", {
      type: "Url",
      description: "The page on which the account owner decides. Show it to the user.",
    }),
    expiresInSeconds: t.exposeInt("expiresInSeconds", { description: "Whole seconds until the approval expires." }),
    reason: t.expose("reason", {
      type: ApprovalReasonEnum,
      description: "Reason for which the policy does not cover the purchase.",
    }),
    reasonText: t.string({
      description: "User-facing text of the reason.",
      resolve: ({ reason }) => APPROVAL_REASONS[reason],
    }),
    approval: t.prismaField({
      type: PurchaseApprovalNode,
      description: "The approval.",
      resolve: (query, { approvalId }, _args, { deps }) =>
        deps.db.prisma.checkoutApproval.findUniqueOrThrow({ ...query, where: { id: approvalId } }),
    }),
  }),
});

const DispatchOrderSuccess = builder.objectRef<PlacedOrder>("DispatchOrderSuccess").implement({
  description: "The order of the dispatch: in progress, waiting for approval, or ended if it was dispatched earlier.",
  fields: (t) => ({
    order: t.prismaField({
      type: CheckoutOrderNode,
      description: "The order. Poll it or subscribe to it until it has ended.",
      resolve: (query, { orderId }, _args, { deps }) =>
        deps.db.prisma.checkoutOrder.findUniqueOrThrow({ ...query, where: { id: orderId } }),
    }),
    workerJobId: t.id({
      description: "The id of the worker job that places the order.",
      resolve: ({ orderId }) => toWorkerJobId(orderId),
    }),
    liveViewUrl: t.field({
      type: "Url",
      description: "Live view of the checkout, valid for 15 minutes. The order page embeds the same view.",
      resolve: ({ orderId }, _args, { deps }) => createLiveViewUrl(deps, { id: orderId }, { mayAct: false }),
    }),
    requiredApproval: t.field({
      type: RequiredApprovalType,
      nullable: true,
      description:
        "The approval that is required first. Null if none is required, or if another caller dispatched the order.",
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
      "Places an order at a merchant. Repeating the same dispatch returns the same order. A dispatch that differs from the quoted or approved terms is rejected before a card is used.",
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
      union: {
        name: "DispatchOrderResult",
        description: "The order, or an error. After an error no order was placed.",
      },
    },
    args: { input: t.arg({ type: DispatchOrderInput, required: true, description: "The order to place." }) },
    resolve: (_root, { input }, context) =>
      dispatchOrder(context.deps, context.viewer, {
        ...input,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
  }),
);
