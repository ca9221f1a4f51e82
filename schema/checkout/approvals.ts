/** Purchases that require approval: polled by the caller that dispatched them, decided by the account owner's passkey. */
import type { CheckoutApproval, Prisma } from "../../generated/prisma/client.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import {
  type ApprovalStatus,
  createApprovalUrl,
  currentApprovalStatus,
  findApprovalByToken,
  OPEN_STATUSES,
  STATUS_IN_SQL,
  secondsUntilExpiry,
} from "../../src/checkout/approvals/approvals.ts";
import {
  ApprovalClosedError,
  approvePurchase,
  denyPurchase,
  startPurchaseApproval,
} from "../../src/checkout/approvals/decide.ts";
import { readDeliveryAddress } from "../../src/checkout/approvals/delivery-address.ts";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { APPROVAL_REASONS, type ApprovalReason } from "../../src/checkout/policy/evaluate-policy.ts";
import { DOCUMENT_SCHEMA_PATHS } from "../../src/checkout/signed-document-schemas.ts";
import type { ListFilter } from "../../src/platform/database/list-page.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { createErrorOptions, INPUT_ERRORS } from "../errors.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { requireAccountId } from "../owner.ts";
import { linkViewer } from "../payload-viewer.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { wireEnum } from "../wire-enum.ts";
import { addressType } from "./address.ts";

builder.objectType(ApprovalClosedError, {
  name: "ApprovalClosedError",
  ...createErrorOptions("The purchase was already decided, or its approval has expired."),
});

const ApprovalStatusEnum = wireEnum<ApprovalStatus>("ApprovalStatus", "The status of an approval.", {
  pending: "The account owner has not decided.",
  approved: "Approved. The caller that requested it must repeat its request with the approval token.",
  denied: "Denied. Nothing happens.",
  expired: "Expired. Nothing happens.",
  consumed: "The approved request was carried out.",
});

export const ApprovalReasonEnum = wireEnum<ApprovalReason>(
  "ApprovalReason",
  "Reason for which the standing policy does not cover a purchase.",
  APPROVAL_REASONS,
);

const DeliveryAddressType = addressType("DeliveryAddress", "The delivery address of a purchase.");

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

export const ApprovalInterface = builder.prismaInterface("CheckoutApproval", {
  variant: "Approval",
  description: "An approval that the account owner gives. Kinds may be added; each has its page, `approvalUrl`.",
  resolveType: () => "PurchaseApproval",
  fields: (t) => ({
    approvalId: t.exposeID("id", { description: "The id of the approval, such as `apr_…`." }),
    status: t.field({
      type: ApprovalStatusEnum,
      description: "The current status.",
      select: { status: true, expiresAt: true },
      resolve: (approval) => currentApprovalStatus(approval),
    }),
    askedBy: t.string({
      nullable: true,
      description: "The name of the requesting API token or app, as displayed to the account owner. Null if unknown.",
      select: { document: true },
      resolve: ({ document }) => (document as { readonly asked_by?: string }).asked_by,
    }),
    approvalUrl: t.field({
      type: "Url",
      description: "The page on which the account owner decides.",
      select: { id: true },
      resolve: ({ id }, _args, { deps }) => createApprovalUrl(deps.site, id),
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the approval expires." }),
    decidedAt: t.expose("decidedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp of the decision; null until then.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the approval was requested." }),
  }),
});

export const PurchaseApprovalNode = builder.prismaNode("CheckoutApproval", {
  name: "PurchaseApproval",
  id: { field: "id", description: "The global id of the approval." },
  findUnique: (id, context) => ({ id, accountId: requireAccountId(context) }),
  nullable: true,
  interfaces: [ApprovalInterface],
  description: "The approval of a purchase outside the standing policy.",
  fields: (t) => ({
    reason: t.field({
      type: ApprovalReasonEnum,
      description: "Reason for which the policy does not cover the purchase.",
      select: { reason: true },
      resolve: ({ reason }) => reason as ApprovalReason,
    }),
    reasonText: t.string({
      description: "User-facing text of the reason.",
      select: { reason: true },
      resolve: ({ reason }) => APPROVAL_REASONS[reason as ApprovalReason],
    }),
    document: t.expose("document", {
      type: "JSON",
      description: `The purchase document that the account owner sees and signs. Its JSON Schema is at \`${DOCUMENT_SCHEMA_PATHS.purchase}\`.`,
    }),
    documentSha256: t.string({
      description: "SHA-256 of the document's canonical JSON (RFC 8785), hexadecimal. It is the passkey challenge.",
      select: { document: true },
      resolve: ({ document }) => hex(canonicalDigest(document as object)),
    }),
    deliveryAddress: t.field({
      type: DeliveryAddressType,
      nullable: true,
      description:
        "The full delivery address; the document contains its digest. Null without the account owner's browser session, and if nothing is delivered.",
      select: { accountId: true, orderId: true },
      resolve: (approval, _args, { deps, viewer }) => readDeliveryAddress(deps, viewer, approval),
    }),
    dispatchSha256: t.string({
      description: "Digest of the dispatch that the approval is for, hexadecimal.",
      select: { dispatchSha256: true },
      resolve: ({ dispatchSha256 }) => hex(dispatchSha256),
    }),
    signature: t.expose("signature", {
      type: "JSON",
      nullable: true,
      description: "The passkey assertion (WebAuthn).",
    }),
    expiresInSeconds: t.int({
      description: "Whole seconds until the approval expires.",
      select: { expiresAt: true },
      resolve: (approval) => secondsUntilExpiry(approval),
    }),
  }),
});

lookUpById("purchaseApproval", "PurchaseApproval", PurchaseApprovalNode, "the approval");

const PurchaseApprovalFilter = builder.inputType("PurchaseApprovalFilter", {
  description: "Filters purchase approvals; all given conditions must match.",
  fields: (t) => ({
    statuses: t.field({ type: [ApprovalStatusEnum], description: "Approvals with any of these statuses." }),
    createdAfter: t.field({ type: "DateTime", description: "Approvals requested at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Approvals requested before this time." }),
  }),
});

/** Twice the maximum of `CHECKOUT_APPROVAL_MS`: an approval expires this long after its request at the latest. */
const MAX_OPEN_MS = 2 * 86_400_000;

const approvalsOf = createConnectionReader(
  {
    ...{ table: "checkout_approvals", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
  },
  ({ deps }, selection: Prisma.CheckoutApprovalDefaultArgs, ids) =>
    deps.db.prisma.checkoutApproval.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.checkoutApproval.count({ where: { id, accountId } }),
);

function toListFilter(filter: typeof PurchaseApprovalFilter.$inferInput | null | undefined): ListFilter {
  const { createdAfter, createdBefore } = filter ?? {};
  const statuses = selectedOf(filter?.statuses);
  const isOpen = statuses?.every((status) => OPEN_STATUSES.includes(status)) ?? false;
  return {
    // Older approvals have expired.
    from: isOpen ? new Date(Math.max(createdAfter?.getTime() ?? 0, Date.now() - MAX_OPEN_MS)) : createdAfter,
    to: createdBefore,
    conditions: statuses ? [{ sql: `${STATUS_IN_SQL} = ANY(?::text[])`, values: [statuses] }] : [],
  };
}

const BY_TIME = orderedBy(
  orderType("PurchaseApprovalOrder", "purchase approvals", "CREATED_AT", "The time when the approval was requested."),
  "DESC",
);

builder.objectFields(ViewerType, (t) => ({
  purchaseApprovals: t.connection(
    {
      type: PurchaseApprovalNode,
      ...BY_TIME.pages,
      description: "Purchase approvals of the account, newest first.",
      args: {
        filter: t.arg({ type: PurchaseApprovalFilter, description: "Filter. Default: all approvals." }),
        orderBy: t.arg(BY_TIME.argument),
      },
      resolve: ({ accountId }, args, context, info) => {
        const approvals = approvalsOf(context, accountId, toListFilter(args.filter), BY_TIME.orderOf(args));
        return resolveConnection(args, context, info, approvals);
      },
    },
    {
      name: "PurchaseApprovalConnection",
      description: "A page of purchase approvals.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "PurchaseApprovalEdge", description: "An edge of a purchase approval connection." },
  ),
}));

builder.queryField("approvalOfToken", (t) =>
  t.prismaField({
    type: PurchaseApprovalNode,
    nullable: true,
    authScopes: { account: true },
    description:
      "The approval of an approval token, for polling. Null unless the caller is the one that dispatched the purchase.",
    args: {
      approvalToken: t.arg.string({
        required: true,
        description: "The token `satchel_ap_…` from the dispatch result.",
      }),
    },
    resolve: async (query, _root, { approvalToken }, { deps, viewer }) => {
      const found = await findApprovalByToken(deps, viewer, approvalToken);
      return found && (await deps.db.prisma.checkoutApproval.findUnique({ ...query, where: { id: found.id } }));
    },
  }),
);

const decided = (name: string, description: string) =>
  linkViewer(
    builder.objectRef<{ readonly approval: CheckoutApproval }>(name).implement({
      description,
      fields: (t) => ({
        approval: t.expose("approval", {
          type: PurchaseApprovalNode,
          description: "The updated approval, with its order.",
        }),
      }),
    }),
  );

const idInput = (name: string) =>
  builder.inputType(name, {
    description: "Identifies a purchase approval.",
    fields: (t) => ({
      id: t.id({ required: true, description: "The id of the approval.", validate: idOf("PurchaseApproval") }),
    }),
  });

const DECISION_ERRORS = [...INPUT_ERRORS, ApprovalClosedError];

const StartPurchaseApprovalSuccess = builder
  .objectRef<{ readonly approval: CheckoutApproval; readonly options: object }>("StartPurchaseApprovalSuccess")
  .implement({
    description: "Passkey request options for the browser.",
    fields: (t) => ({
      approval: t.expose("approval", { type: PurchaseApprovalNode, description: "The approval to sign." }),
      options: t.expose("options", {
        type: "JSON",
        description:
          "PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3) for `navigator.credentials.get`. Its challenge is the document's digest.",
      }),
    }),
  });

builder.mutationField("startPurchaseApproval", (t) =>
  t.field({
    type: StartPurchaseApprovalSuccess,
    description: "Starts the approval of a purchase. Requires the account owner's browser session.",
    errors: {
      types: DECISION_ERRORS,
      union: { name: "StartPurchaseApprovalResult", description: "The passkey request options, or an error." },
    },
    args: {
      input: t.arg({
        type: idInput("StartPurchaseApprovalInput"),
        required: true,
        description: "The approval to start.",
      }),
    },
    resolve: (_root, { input }, { deps, viewer }) => startPurchaseApproval(deps, viewer, input.id),
  }),
);

const ApprovePurchaseInput = builder.inputType("ApprovePurchaseInput", {
  description: "A passkey signature over a purchase document.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The id of the approval.", validate: idOf("PurchaseApproval") }),
    response: t.field({
      type: "JSON",
      required: true,
      description: "The passkey's `AuthenticationResponseJSON` (WebAuthn level 3).",
    }),
  }),
});

builder.mutationField("approvePurchase", (t) =>
  t.field({
    type: decided(
      "ApprovePurchaseSuccess",
      "The purchase is approved. The caller that requested it can dispatch the order once.",
    ),
    description:
      "Approves the purchase described in the signed document. Requires the account owner's browser session.",
    errors: {
      types: [...DECISION_ERRORS, PasskeyRefusedError],
      union: {
        name: "ApprovePurchaseResult",
        description: "The approval, or an error. After an error nothing has changed.",
      },
    },
    args: {
      input: t.arg({ type: ApprovePurchaseInput, required: true, description: "The signature of the purchase." }),
    },
    resolve: async (_root, { input: { id, response } }, { deps, viewer }) => ({
      approval: await approvePurchase(deps, viewer, { approvalId: id, response }),
    }),
  }),
);

builder.mutationField("denyPurchase", (t) =>
  t.field({
    type: decided("DenyPurchaseSuccess", "The purchase is denied and nothing is bought."),
    description: "Denies a purchase and ends its order. Requires the account owner's browser session.",
    errors: {
      types: DECISION_ERRORS,
      union: {
        name: "DenyPurchaseResult",
        description: "The approval, or an error. After an error nothing has changed.",
      },
    },
    args: {
      input: t.arg({ type: idInput("DenyPurchaseInput"), required: true, description: "The purchase to deny." }),
    },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      approval: await denyPurchase(deps, viewer, input.id),
    }),
  }),
);
