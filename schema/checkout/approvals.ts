/** Purchases that wait for their person: polled by whoever dispatched them, decided with a passkey. */
import type { CheckoutApproval } from "../../generated/prisma/client.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import {
  type ApprovalStatus,
  approvalStatus,
  approvalUrl,
  findApprovalByToken,
  secondsLeft,
} from "../../src/checkout/approvals/approvals.ts";
import {
  ApprovalClosedError,
  approvePurchase,
  denyPurchase,
  startPurchaseApproval,
} from "../../src/checkout/approvals/decide.ts";
import { deliveryAddressOf } from "../../src/checkout/approvals/delivery-address.ts";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { APPROVAL_REASONS, type ApprovalReason } from "../../src/checkout/policy/evaluate-policy.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { errorOf, INPUT_ERRORS } from "../errors.ts";
import { readOwnId } from "../global-id.ts";
import { ownAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { addressType } from "./address.ts";

builder.objectType(ApprovalClosedError, {
  name: "ApprovalClosedError",
  ...errorOf("The purchase was decided before, or its time is over."),
});

const ApprovalStatusEnum = builder.enumType("PurchaseApprovalStatus", {
  description: "Where an approval stands.",
  values: {
    PENDING: { value: "pending", description: "Its person has not decided." },
    APPROVED: { value: "approved", description: "Approved: dispatch the same again, with the token." },
    DENIED: { value: "denied", description: "Refused. Nothing is bought." },
    EXPIRED: { value: "expired", description: "Its time is over. Nothing is bought." },
    CONSUMED: { value: "consumed", description: "Its purchase was dispatched." },
  } as const satisfies Record<string, { value: ApprovalStatus; description: string }>,
});

const DeliveryAddressType = addressType("DeliveryAddress", "Where a purchase goes.");

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

export const PurchaseApprovalNode = builder.prismaNode("CheckoutApproval", {
  name: "PurchaseApproval",
  id: { field: "id", description: "The approval's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountId(context) }),
  nullable: true,
  description: "A purchase outside of the standing policy, and what its person decided.",
  fields: (t) => ({
    approvalId: t.exposeID("id", { description: "The approval's own id." }),
    status: t.field({
      type: ApprovalStatusEnum,
      description: "Where it stands.",
      select: { status: true, expiresAt: true },
      resolve: (approval) => approvalStatus(approval),
    }),
    askedBy: t.string({
      nullable: true,
      description: "Who asks, as its person is shown them; null where that is not known.",
      select: { document: true },
      resolve: ({ document }) => (document as { readonly asked_by?: string }).asked_by,
    }),
    reason: t.exposeString("reason", { description: "Why the policy did not cover it, such as `above_order_limit`." }),
    reasonText: t.string({
      description: "The same in words for a person.",
      select: { reason: true },
      resolve: ({ reason }) => APPROVAL_REASONS[reason as ApprovalReason] ?? "The standing policy does not cover it.",
    }),
    document: t.expose("document", { type: "JSON", description: "What would be bought: what is shown and signed." }),
    documentSha256: t.string({
      description: "SHA-256 of its canonical JSON (RFC 8785), hexadecimal: the passkey's challenge.",
      select: { document: true },
      resolve: ({ document }) => hex(canonicalDigest(document as object)),
    }),
    deliveryAddress: t.field({
      type: DeliveryAddressType,
      nullable: true,
      description:
        "Where it goes, whole; the document has its digest. Null for anybody but its person in their own browser, and where nothing is delivered.",
      select: { accountId: true, orderId: true },
      resolve: (approval, _args, { deps, viewer }) => deliveryAddressOf(deps, viewer, approval),
    }),
    dispatchSha256: t.string({
      description: "Digest of the dispatch it is for, hexadecimal.",
      select: { dispatchSha256: true },
      resolve: ({ dispatchSha256 }) => hex(dispatchSha256),
    }),
    signature: t.expose("signature", { type: "JSON", nullable: true, description: "The passkey's assertion." }),
    approvalUrl: t.field({
      type: "Url",
      description: "Where its person decides.",
      select: { id: true },
      resolve: ({ id }, _args, { deps }) => approvalUrl(deps.site, id),
    }),
    expiresInSeconds: t.int({
      description: "Whole seconds until it is over.",
      select: { expiresAt: true },
      resolve: (approval) => secondsLeft(approval),
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it is over." }),
    decidedAt: t.expose("decidedAt", { type: "DateTime", nullable: true, description: "When its person decided." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was asked for." }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  purchaseApprovals: t.prismaConnection(
    {
      type: PurchaseApprovalNode,
      ...PAGES,
      description: "Purchases that waited for their person, newest first.",
      args: { isPending: t.arg.boolean({ description: "Only those that still wait, or only the others." }) },
      resolve: (query, { accountId }, { isPending }, { deps }) => {
        const waiting = { status: "pending", expiresAt: { gt: new Date() } };
        const filter = isPending === true ? waiting : isPending === false ? { NOT: waiting } : {};
        const where = { accountId, ...filter };
        return readPage(
          query,
          { accountId },
          (page) => deps.db.prisma.checkoutApproval.findMany({ ...page, where, orderBy: NEWEST_FIRST }),
          (where) => deps.db.prisma.checkoutApproval.count({ where }),
        );
      },
    },
    { name: "PurchaseApprovalConnection", description: "A page of approvals." },
    { name: "PurchaseApprovalEdge", description: "An approval in a list." },
  ),
  purchaseApproval: t.prismaField({
    type: PurchaseApprovalNode,
    nullable: true,
    description: "A purchase that waits for its person, by its global id or its own; null when there is none.",
    args: { id: t.arg.id({ required: true, description: "Its id, such as `apr_…`." }) },
    resolve: (query, { accountId }, { id }, { deps }) =>
      deps.db.prisma.checkoutApproval.findFirst({
        ...query,
        where: { id: readOwnId("PurchaseApproval", id), accountId },
      }),
  }),
}));

builder.queryField("approvalOfToken", (t) =>
  t.prismaField({
    type: PurchaseApprovalNode,
    nullable: true,
    authScopes: { account: true },
    description: "What an approval token is for, to poll; null for anybody but the caller that dispatched.",
    args: { approvalToken: t.arg.string({ required: true, description: "`satchel_ap_…`, as the dispatch answered." }) },
    resolve: async (query, _root, { approvalToken }, { deps, viewer }) => {
      const found = await findApprovalByToken(deps, viewer, approvalToken);
      return found && (await deps.db.prisma.checkoutApproval.findUnique({ ...query, where: { id: found.id } }));
    },
  }),
);

const decided = (name: string, description: string) =>
  builder.objectRef<{ readonly approval: CheckoutApproval }>(name).implement({
    description,
    fields: (t) => ({
      approval: t.expose("approval", { type: PurchaseApprovalNode, description: "The approval as it now is." }),
    }),
  });

const idInput = (name: string) =>
  builder.inputType(name, {
    description: "The purchase.",
    fields: (t) => ({ id: t.id({ required: true, description: "The approval's global id, or its own." }) }),
  });

const DECISION_ERRORS = [...INPUT_ERRORS, ApprovalClosedError];

const StartPurchaseApprovalSuccess = builder
  .objectRef<{ readonly approval: CheckoutApproval; readonly options: object }>("StartPurchaseApprovalSuccess")
  .implement({
    description: "What the browser needs to ask for the passkey.",
    fields: (t) => ({
      approval: t.expose("approval", { type: PurchaseApprovalNode, description: "What is to be signed." }),
      options: t.expose("options", {
        type: "JSON",
        description:
          "PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3), for `navigator.credentials.get`. Its challenge is the document's digest.",
      }),
    }),
  });

builder.mutationField("startPurchaseApproval", (t) =>
  t.field({
    type: StartPurchaseApprovalSuccess,
    description: "Begins approving a purchase. For its person in their own browser.",
    errors: {
      types: DECISION_ERRORS,
      union: { name: "StartPurchaseApprovalResult", description: "What the browser needs, or why there is nothing." },
    },
    args: { input: t.arg({ type: idInput("StartPurchaseApprovalInput"), required: true, description: "Which." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      startPurchaseApproval(deps, viewer, readOwnId("PurchaseApproval", input.id)),
  }),
);

const ApprovePurchaseInput = builder.inputType("ApprovePurchaseInput", {
  description: "The passkey's signature.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The approval's global id, or its own." }),
    response: t.field({ type: "JSON", required: true, description: "AuthenticationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("approvePurchase", (t) =>
  t.field({
    type: decided("ApprovePurchaseSuccess", "Whoever asked may buy it now, once."),
    description: "Approves a purchase, exactly as it was shown. For its person in their own browser.",
    errors: {
      types: [...DECISION_ERRORS, PasskeyRefusedError],
      union: { name: "ApprovePurchaseResult", description: "The approval, or why nothing changed." },
    },
    args: { input: t.arg({ type: ApprovePurchaseInput, required: true, description: "The signature." }) },
    resolve: async (_root, { input: { id, response } }, { deps, viewer }) => ({
      approval: await approvePurchase(deps, viewer, { approvalId: readOwnId("PurchaseApproval", id), response }),
    }),
  }),
);

builder.mutationField("denyPurchase", (t) =>
  t.field({
    type: decided("DenyPurchaseSuccess", "Nothing is bought."),
    description: "Refuses a purchase; its order ends. For its person in their own browser.",
    errors: {
      types: DECISION_ERRORS,
      union: { name: "DenyPurchaseResult", description: "The approval, or why nothing changed." },
    },
    args: { input: t.arg({ type: idInput("DenyPurchaseInput"), required: true, description: "Which." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      approval: await denyPurchase(deps, viewer, readOwnId("PurchaseApproval", input.id)),
    }),
  }),
);
