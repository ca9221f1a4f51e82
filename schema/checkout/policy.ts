/** Standing policies: purchases that agents may make without approval, signed with a passkey. */
import { z } from "zod";
import type { CheckoutPolicy, Prisma } from "../../generated/prisma/client.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import {
  createCheckoutPolicy,
  revokeCheckoutPolicy,
  type StartedPolicy,
  startCheckoutPolicy,
} from "../../src/checkout/policy/policies.ts";
import { PolicyDocument } from "../../src/checkout/policy/policy-document.ts";
import { DOCUMENT_SCHEMA_PATHS } from "../../src/checkout/signed-document-schemas.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { requireAccountId } from "../owner.ts";
import { PAGES } from "../paging.ts";
import { linkViewer } from "../payload-viewer.ts";
import { requireVisitor, setBrowserCookie } from "../visitor.ts";
import { PolicyStanceEnum, PolicyTermsType } from "./policy-terms.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const SHA256 = "SHA-256 of the document's canonical JSON (RFC 8785), hexadecimal. It is the passkey challenge.";

export const CheckoutPolicyNode = builder.prismaNode("CheckoutPolicy", {
  id: { field: "id", description: "The global id of the policy." },
  findUnique: (id, context) => ({ id, accountId: requireAccountId(context) }),
  nullable: true,
  description:
    "A signed policy for purchases without approval. Versions are immutable; signing a new version replaces the previous one.",
  fields: (t) => ({
    policyId: t.exposeID("id", { description: "The id of the policy." }),
    version: t.exposeInt("version", {
      description: "The version number, starting at 1 for the account's first policy.",
    }),
    document: t.expose("document", {
      type: "JSON",
      description: `The signed policy document. Its JSON Schema is at \`${DOCUMENT_SCHEMA_PATHS.policy}\`.`,
    }),
    terms: t.field({
      type: PolicyTermsType,
      nullable: true,
      description: "The terms of the document. Null if it has terms that this service does not support.",
      select: { document: true },
      resolve: ({ document }) => PolicyDocument.safeParse(document).data ?? null,
    }),
    policySha256: t.string({ description: SHA256, resolve: ({ policySha256 }) => hex(policySha256) }),
    signature: t.expose("signature", { type: "JSON", description: "The passkey assertion (WebAuthn)." }),
    isInForce: t.boolean({
      description: "Whether the policy is in force.",
      resolve: ({ activeSlot, notBefore, expiresAt }) =>
        activeSlot !== null && notBefore.getTime() <= Date.now() && expiresAt.getTime() > Date.now(),
    }),
    currency: t.expose("currency", { type: "CurrencyCode", description: "The currency of the policy's amounts." }),
    dayUsed: t.field({
      type: MoneyType,
      description:
        "Amount used today (UTC). Includes orders in flight, and ended orders whose card was released from the vault.",
      select: { day: true, dayUsedMinor: true, currency: true },
      resolve: ({ day, dayUsedMinor, currency }) => toMoney(isNow(day, 10) ? dayUsedMinor : 0, currency),
    }),
    monthUsed: t.field({
      type: MoneyType,
      description: "Amount used this month (UTC). Includes the same orders as `dayUsed`.",
      select: { month: true, monthUsedMinor: true, currency: true },
      resolve: ({ month, monthUsedMinor, currency }) => toMoney(isNow(month, 7) ? monthUsedMinor : 0, currency),
    }),
    notBefore: t.expose("notBefore", { type: "DateTime", description: "Timestamp when the policy takes effect." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the policy expires." }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the policy was revoked.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the policy was signed." }),
  }),
});

lookUpById("checkoutPolicy", "CheckoutPolicy", CheckoutPolicyNode, "the policy");

/** Compares a date with today (UTC). @param length length of the ISO date prefix to compare: 10 for the day, 7 the month */
function isNow(date: Date, length: number): boolean {
  return date.toISOString().slice(0, length) === new Date().toISOString().slice(0, length);
}

const policiesOf = createConnectionReader(
  {
    ...{ table: "checkout_policies", parentColumn: "account_id", parentType: "uuid", timeColumn: "version" },
    order: "newest first",
  },
  ({ deps }, selection: Prisma.CheckoutPolicyDefaultArgs, ids) =>
    deps.db.prisma.checkoutPolicy.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.checkoutPolicy.count({ where: { id, accountId } }),
);

builder.objectFields(ViewerType, (t) => ({
  checkoutPolicy: t.prismaField({
    type: CheckoutPolicyNode,
    nullable: true,
    description: "The latest standing policy that was not revoked; null if there is none.",
    resolve: (query, { accountId }, _args, { deps }) =>
      deps.db.prisma.checkoutPolicy.findUnique({ ...query, where: { activeSlot: accountId } }),
  }),
  checkoutPolicies: t.connection(
    {
      type: CheckoutPolicyNode,
      ...PAGES,
      description: "All policies that the account signed, newest first.",
      resolve: ({ accountId }, args, context, info) =>
        resolveConnection(args, context, info, policiesOf(context, accountId)),
    },
    { name: "CheckoutPolicyConnection", description: "A page of policies." },
    { name: "CheckoutPolicyEdge", description: "An edge of a policy connection." },
  ),
}));

const StartCheckoutPolicyInput = builder.inputType("StartCheckoutPolicyInput", {
  description:
    "Terms of purchases that agents may make without approval. Other orders require the account owner's passkey.",
  fields: (t) => ({
    currency: t.field({
      type: "CurrencyCode",
      required: true,
      description: "The currency of the amounts. Orders in other currencies require approval.",
    }),
    perOrderMaxMinor: t.field({ type: "MinorAmount", required: true, description: "Maximum amount per order." }),
    dailyMaxMinor: t.field({
      type: "MinorAmount",
      required: true,
      description: "Maximum amount per day (UTC). At least the maximum per order.",
    }),
    monthlyMaxMinor: t.field({
      type: "MinorAmount",
      required: true,
      description: "Maximum amount per month (UTC). At least the maximum per day.",
    }),
    allowedMerchantIds: t.idList({
      description: "Ids of allowed merchants, at most 200. Null allows any merchant; an empty list allows none.",
      validate: z.array(idOf("Merchant")),
    }),
    blockedMerchantIds: t.idList({
      description: "Ids of blocked merchants, at most 200. Default: none.",
      validate: z.array(idOf("Merchant")),
    }),
    allowedCountries: t.field({
      type: ["CountryCode"],
      description: "Countries of allowed merchants, at most 200. Empty allows any country. Default: empty.",
    }),
    newMerchant: t.field({
      type: PolicyStanceEnum,
      description: "Treatment of merchants without an earlier purchase. Default: `REQUIRE_APPROVAL`.",
    }),
    shipToOther: t.field({
      type: PolicyStanceEnum,
      description: "Treatment of delivery addresses other than the cardholder's. Default: `REQUIRE_APPROVAL`.",
    }),
    cardIds: t.idList({
      description: "Ids of allowed cards, at most 200. Empty allows any card. Default: empty.",
      validate: z.array(idOf("PaymentCard")),
    }),
    notBefore: t.field({ type: "DateTime", description: "Timestamp when the policy takes effect. Default: now." }),
    expiresAt: t.field({
      type: "DateTime",
      required: true,
      description: "Timestamp when the policy expires; at most 366 days from now.",
    }),
  }),
});

const StartCheckoutPolicySuccess = builder.objectRef<StartedPolicy>("StartCheckoutPolicySuccess").implement({
  description: "The policy document to sign.",
  fields: (t) => ({
    attemptId: t.exposeID("attemptId", { description: "The id of the attempt. Send it with the passkey response." }),
    document: t.field({
      type: "JSON",
      description: `The policy document. Show it to the account owner. Its JSON Schema is at \`${DOCUMENT_SCHEMA_PATHS.policy}\`.`,
      resolve: ({ document }) => document,
    }),
    options: t.field({
      type: "JSON",
      description:
        "PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3) for `navigator.credentials.get`. Its challenge is the document's digest. Valid for 5 minutes and one response.",
      resolve: ({ options }) => options,
    }),
  }),
});

builder.mutationField("startCheckoutPolicy", (t) =>
  t.field({
    type: StartCheckoutPolicySuccess,
    description:
      "Creates the document that the account owner signs to create a standing policy. Requires the account owner's browser session.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "StartCheckoutPolicyResult", description: "The document to sign, or an error." },
    },
    args: { input: t.arg({ type: StartCheckoutPolicyInput, required: true, description: "The terms of the policy." }) },
    resolve: async (_root, { input }, context) =>
      setBrowserCookie(
        context,
        await startCheckoutPolicy(context.deps, requireVisitor(context), {
          ...input,
          allowedMerchantIds: input.allowedMerchantIds ?? null,
          blockedMerchantIds: input.blockedMerchantIds ?? [],
          allowedCountries: input.allowedCountries ?? [],
          newMerchant: input.newMerchant ?? "require_approval",
          shipToOther: input.shipToOther ?? "require_approval",
          cardIds: input.cardIds ?? [],
          notBefore: input.notBefore ?? null,
        }),
      ),
  }),
);

const signed = (name: string, description: string) =>
  linkViewer(
    builder.objectRef<{ readonly policy: CheckoutPolicy }>(name).implement({
      description,
      fields: (t) => ({ policy: t.expose("policy", { type: CheckoutPolicyNode, description: "The updated policy." }) }),
    }),
  );

const CreateCheckoutPolicyInput = builder.inputType("CreateCheckoutPolicyInput", {
  description: "A passkey signature over a policy document.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The id of the attempt, from `startCheckoutPolicy`." }),
    response: t.field({ type: "JSON", required: true, description: "AuthenticationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("createCheckoutPolicy", (t) =>
  t.field({
    type: signed("CreateCheckoutPolicySuccess", "The policy was signed and replaces the previous one."),
    description:
      "Puts a signed policy in force. Carries over the amounts used today and this month in its currency. Requires the account owner's browser session.",
    errors: {
      types: [...BOUNDED_ERRORS, PasskeyRefusedError],
      union: {
        name: "CreateCheckoutPolicyResult",
        description: "The policy, or an error. After an error nothing has changed.",
      },
    },
    args: {
      input: t.arg({ type: CreateCheckoutPolicyInput, required: true, description: "The signature of the policy." }),
    },
    resolve: async (_root, { input }, context) => ({
      policy: await createCheckoutPolicy(context.deps, requireVisitor(context), input),
    }),
  }),
);

const RevokeCheckoutPolicyInput = builder.inputType("RevokeCheckoutPolicyInput", {
  description: "Identifies the policy to revoke.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The id of the policy.", validate: idOf("CheckoutPolicy") }),
  }),
});

builder.mutationField("revokeCheckoutPolicy", (t) =>
  t.field({
    type: signed("RevokeCheckoutPolicySuccess", "The policy was revoked. Orders in flight continue."),
    description: "Revokes a standing policy immediately. Requires the account owner's browser session.",
    errors: {
      types: INPUT_ERRORS,
      union: {
        name: "RevokeCheckoutPolicyResult",
        description: "The revoked policy, or an error. After an error nothing has changed.",
      },
    },
    args: { input: t.arg({ type: RevokeCheckoutPolicyInput, required: true, description: "The policy to revoke." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      return { policy: await revokeCheckoutPolicy(deps, viewer, input.id) };
    },
  }),
);
