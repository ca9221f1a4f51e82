/** Orders at shops: how far they are, how they ended, and what shows it. */

import type { CheckoutArtifact, CheckoutOrder, CheckoutStep } from "../../generated/prisma/client.ts";
import { sessionOf } from "../../src/accounts/viewer.ts";
import { askedBy } from "../../src/checkout/asked-by.ts";
import { liveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { evidenceOf } from "../../src/checkout/orders/evidence.ts";
import { explorationOf, purchaseOf } from "../../src/checkout/orders/request.ts";
import { isTerminal, type OrderState, type RetryAction } from "../../src/checkout/orders/states.ts";
import type { Quote } from "../../src/checkout/quote/quote.ts";
import type { ShipToEcho } from "../../src/checkout/quote/ship-to.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { PAGES } from "../paging.ts";
import { StorableText } from "../text.ts";
import { PurchaseApprovalNode } from "./approvals.ts";
import { PaymentCardNode } from "./cards.ts";
import { MerchantNode } from "./merchants.ts";
import { OrderKindEnum, OrderStatusEnum, RetryActionEnum } from "./order-states.ts";
import { CartConstraintsType, FulfillmentOptionType, QuoteLineType, ShipToEchoType } from "./quote.ts";

const SCOPE = "transactions:read";

const OrderStepType = builder.objectRef<CheckoutStep>("CheckoutOrderStep").implement({
  description: "One thing that was done at the shop's checkout.",
  fields: (t) => ({
    seq: t.exposeInt("seq", { description: "Its number, in the order of doing." }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
    action: t.exposeString("action", { description: "What was done." }),
    selector: t.exposeString("selector", { nullable: true, description: "To which part of the page." }),
    urlOrigin: t.exposeString("urlOrigin", { nullable: true, description: "The origin of the page, or of the frame." }),
    outcome: t.exposeString("outcome", { description: "What came of it." }),
    screenshotId: t.exposeString("screenshotId", { nullable: true, description: "The artifact that shows it." }),
  }),
});

const ArtifactKindEnum = builder.enumType("CheckoutArtifactKind", {
  description: "What was kept as evidence.",
  values: {
    screenshot: { description: "A picture of the page, card fields masked." },
    har: { description: "The requests that were made, without bodies and cookies." },
    dom: { description: "The page's structure." },
  },
});

/** Everything but the bytes. */
const ARTIFACT = {
  ...{ id: true, orderId: true, kind: true, contentType: true },
  ...{ sha256: true, redactions: true, createdAt: true },
} as const;
type ArtifactRow = Pick<CheckoutArtifact, keyof typeof ARTIFACT>;

const ArtifactType = builder.objectRef<ArtifactRow>("CheckoutArtifact").implement({
  description: "Something kept as evidence, redacted before it was stored.",
  fields: (t) => ({
    artifactId: t.exposeString("id", { description: "Its id, as steps name it." }),
    kind: t.field({ type: ArtifactKindEnum, description: "What it is.", resolve: ({ kind }) => kind as "screenshot" }),
    contentType: t.exposeString("contentType", { description: "Its media type." }),
    url: t.field({
      type: "Url",
      description: "Where it is read, with the credential that reads the order.",
      resolve: ({ id, orderId }, _args, { deps }) =>
        `${deps.site.baseUrl()}/api/autofill/orders/${orderId}/artifacts/${id}`,
    }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of its bytes, hexadecimal." }),
    redactions: t.exposeStringList("redactions", { description: "What was taken out of it." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was kept." }),
  }),
});

const EvidenceType = builder.objectRef<CheckoutOrder>("CheckoutEvidence").implement({
  description: "What shows how an order went, in short.",
  fields: (t) => ({
    available: t.boolean({
      description: "Whether the bundle can be read: from the order's end on.",
      resolve: ({ status }) => isTerminal(status),
    }),
    bundleUrl: t.field({
      type: "Url",
      description: "Where the bundle is read.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.baseUrl()}/api/autofill/orders/${id}/evidence`,
    }),
    sha256: t.string({
      nullable: true,
      complexity: 20,
      description: "The signed bundle's digest; null until the order has ended.",
      resolve: async ({ id, status, bundleSha256 }, _args, { deps }) =>
        bundleSha256 ?? (isTerminal(status) ? ((await evidenceOf(deps, id))?.bundle_sha256 ?? null) : null),
    }),
    merchantOrderNumber: t.exposeString("merchantOrderNumber", { nullable: true, description: "The shop's number." }),
    confirmationUrl: t.expose("confirmationUrl", {
      type: "Url",
      nullable: true,
      description: "The shop's page that confirmed it.",
    }),
    submittedAt: t.expose("submittedAt", {
      type: "DateTime",
      nullable: true,
      description: "Stamped before the click that pays; null: the card was never submitted.",
    }),
    confirmedAt: t.expose("confirmedAt", { type: "DateTime", nullable: true, description: "When the shop confirmed." }),
  }),
});

const minor = (amount: bigint | null) => (amount === null ? null : Number(amount));

/** The cart as it was checked at dispatch. */
const cartOf = ({ quote }: Pick<CheckoutOrder, "quote">) => quote as unknown as Quote | null;

export const CheckoutOrderNode = builder.prismaNode("CheckoutOrder", {
  id: { field: "id", description: "The order's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, SCOPE) }),
  nullable: true,
  description: "An order placed at a shop, or the exploration of one.",
  fields: (t) => ({
    orderId: t.exposeID("id", { description: "The order's own id, as REST shows it." }),
    kind: t.field({ type: OrderKindEnum, description: "What it is.", resolve: ({ kind }) => kind as "purchase" }),
    status: t.field({
      type: OrderStatusEnum,
      description: "How far it is.",
      resolve: ({ status }) => status as OrderState,
    }),
    isTerminal: t.boolean({ description: "Whether it has ended.", resolve: ({ status }) => isTerminal(status) }),
    merchant: t.relation("merchant", {
      nullable: true,
      type: MerchantNode,
      description: "The shop; null until found out.",
    }),
    merchantUrl: t.field({
      type: "Url",
      nullable: true,
      description: "The address an exploration began at; null for a purchase.",
      resolve: (order) => explorationOf(order)?.merchantUrl,
    }),
    lines: t.field({
      type: [QuoteLineType],
      description: "What is bought, as it was priced at dispatch; empty for an exploration.",
      resolve: (order) => [...(cartOf(order)?.lines ?? [])],
    }),
    fulfillment: t.field({
      type: FulfillmentOptionType,
      nullable: true,
      description: "How it gets to the buyer; null where the shop offers that at its checkout only.",
      resolve: (order) => cartOf(order)?.options.find(({ id }) => id === cartOf(order)?.selectedOptionId),
    }),
    basketUrl: t.field({
      type: "Url",
      nullable: true,
      description: "The same cart on the shop's site; null unless the person is to finish it there by hand.",
      resolve: (order) => (order.retryAction === "handoff" ? cartOf(order)?.basketUrl : null),
    }),
    card: t.relation("card", { nullable: true, type: PaymentCardNode, description: "The card it is paid with." }),
    approval: t.relation("approval", {
      nullable: true,
      type: PurchaseApprovalNode,
      description: "What its person was asked; null where the standing policy covered it.",
    }),
    amountMinor: t.field({
      type: "MinorAmount",
      nullable: true,
      description: "The approved figure: the most that may be charged.",
      resolve: ({ amountMinor }) => minor(amountMinor),
    }),
    amountIsFinal: t.exposeBoolean("amountIsFinal", { description: "Whether that is the charge, not a ceiling." }),
    amountChargedMinor: t.field({
      type: "MinorAmount",
      nullable: true,
      description: "What the shop's own page said was charged; null while it said nothing.",
      resolve: ({ amountChargedMinor }) => minor(amountChargedMinor),
    }),
    currency: t.exposeString("currency", { nullable: true, description: "The currency of both (ISO 4217)." }),
    retryable: t.exposeBoolean("retryable", {
      nullable: true,
      description:
        "Once it has ended: true, placing it again is safe, for the card was never submitted; false, it fails the same way or has succeeded; null, unknown, money may have moved.",
    }),
    retryAction: t.field({
      type: RetryActionEnum,
      description: "The single next call; `poll` until it has ended.",
      resolve: ({ retryAction, status }) => (isTerminal(status) ? ((retryAction ?? "none") as RetryAction) : "poll"),
    }),
    errorCode: t.exposeString("errorCode", { nullable: true, description: "What went wrong." }),
    errorMessage: t.exposeString("errorMessage", { nullable: true, description: "The same in words for a person." }),
    shipTo: t.field({
      type: ShipToEchoType,
      nullable: true,
      description: "Where it goes, in short; null: to the cardholder.",
      resolve: ({ shipToEcho }) => shipToEcho as unknown as ShipToEcho | null,
    }),
    constraints: t.field({
      type: CartConstraintsType,
      nullable: true,
      description: "The caps it was placed with.",
      resolve: (order) => purchaseOf(order)?.constraints ?? null,
    }),
    askedBy: t.string({
      complexity: 5,
      description: "Who asked for it: the API token or the app by its name, or the person in their browser.",
      resolve: ({ credentialId }, _args, { deps }) => askedBy(deps.db, credentialId),
    }),
    isTest: t.exposeBoolean("isTest", { description: "Whether it was placed at a test shop: no real money moved." }),
    userPrompt: t.exposeString("userPrompt", { nullable: true, description: "What the person asked for." }),
    personNeededFor: t.exposeString("personNeededFor", {
      nullable: true,
      description: "What it waits for a person to do: `three_d_secure`, `security_code`; null: nothing.",
    }),
    personNeededUntil: t.expose("personNeededUntil", {
      type: "DateTime",
      nullable: true,
      description: "Until when it waits for that; null where it waits for nothing, or that is not known.",
    }),
    orderUrl: t.field({
      type: "Url",
      description: "The page that shows it to the person, live and afterwards.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.browserUrl()}/orders/${id}`,
    }),
    liveViewUrl: t.field({
      type: "Url",
      nullable: true,
      complexity: 5,
      description:
        "Where it is watched as it is driven, for 15 minutes; null once it has ended. For its owner's own browser it also lets act while a person is needed: it is not to be handed on.",
      resolve: (order, _args, { deps, viewer }) =>
        isTerminal(order.status) ? null : liveViewUrl(deps, order, { mayAct: sessionOf(viewer) !== null }),
    }),
    evidence: t.field({ type: EvidenceType, description: "What shows how it went.", resolve: (order) => order }),
    evidenceBundle: t.field({
      type: "JSON",
      nullable: true,
      complexity: 20,
      description: "All of it, as REST shows it, the full address included; null until the order has ended.",
      resolve: ({ id }, _args, { deps }) => evidenceOf(deps, id),
    }),
    steps: t.field({
      type: [OrderStepType],
      complexity: { field: 5, multiplier: 20 },
      select: { steps: { orderBy: { seq: "asc" } } },
      description: "What was done at the shop's checkout.",
      resolve: ({ steps }) => steps,
    }),
    artifacts: t.field({
      type: [ArtifactType],
      complexity: { field: 5, multiplier: 20 },
      select: { artifacts: { select: ARTIFACT, orderBy: [{ createdAt: "asc" }, { id: "asc" }] } },
      description: "What was kept of it.",
      resolve: ({ artifacts }) => artifacts,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was asked for." }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true, description: "When a worker took it." }),
    completedAt: t.expose("completedAt", { type: "DateTime", nullable: true, description: "When it ended." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it last moved." }),
  }),
});

const OrderFilter = builder.inputType("CheckoutOrderFilter", {
  description: "Which orders; all that is given must hold.",
  fields: (t) => ({
    status: t.field({ type: [OrderStatusEnum], description: "How far they are: any of these." }),
    kind: t.field({ type: OrderKindEnum, description: "What they are." }),
    merchantId: t.string({ description: "At the shop of this id (`mer_…`)." }),
    isTest: t.boolean({ description: "At test shops, or at others." }),
    from: t.field({ type: "DateTime", description: "Asked for at this time or later." }),
    to: t.field({ type: "DateTime", description: "Asked for before this time." }),
    waitsForPerson: t.boolean({
      description: "Those that wait for their person, to approve them or to do what the checkout asks; or the others.",
    }),
  }),
});

/** The filter as the database takes it. */
function ordersWhere(filter: typeof OrderFilter.$inferInput | null | undefined) {
  const { status, kind, merchantId, isTest, from, to, waitsForPerson } = filter ?? {};
  return {
    createdAt: { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) },
    ...(status && status.length > 0 ? { status: { in: status } } : {}),
    ...(kind ? { kind } : {}),
    ...(merchantId ? { merchantId } : {}),
    ...(typeof isTest === "boolean" ? { isTest } : {}),
    ...(typeof waitsForPerson === "boolean" ? { [waitsForPerson ? "AND" : "NOT"]: waitingWhere(new Date()) } : {}),
  };
}

function waitingWhere(now: Date) {
  return {
    OR: [
      { status: "dispatched", personNeededFor: { not: null } },
      { status: "approval_required", approval: { is: { status: "pending", expiresAt: { gt: now } } } },
    ],
  };
}

builder.objectField(ViewerType, "orders", (t) =>
  t.prismaConnection(
    {
      type: CheckoutOrderNode,
      ...PAGES,
      description: "The account's orders at shops, newest first.",
      args: { filter: t.arg({ type: OrderFilter, description: "Which of them; default all." }) },
      resolve: (query, _viewer, { filter }, context) =>
        context.deps.db.prisma.checkoutOrder.findMany({
          ...query,
          where: { accountId: ownAccountIdWithin(context, SCOPE), ...ordersWhere(filter) },
          orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        }),
    },
    { name: "CheckoutOrderConnection", description: "A page of orders." },
    { name: "CheckoutOrderEdge", description: "An order in a list." },
  ),
);

builder.objectField(ViewerType, "order", (t) =>
  t.prismaField({
    type: CheckoutOrderNode,
    nullable: true,
    description: "One of the account's orders by its own id (`ord_…`); null when there is none.",
    args: { orderId: t.arg.string({ required: true, validate: StorableText, description: "The order's own id." }) },
    resolve: (query, _viewer, { orderId }, context) =>
      context.deps.db.prisma.checkoutOrder.findFirst({
        ...query,
        where: { id: orderId, accountId: ownAccountIdWithin(context, SCOPE) },
      }),
  }),
);
