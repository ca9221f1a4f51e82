/** Standing policies: what agents may buy without asking, signed with a passkey. */
import type { CheckoutPolicy } from "../../generated/prisma/client.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import {
  createCheckoutPolicy,
  revokeCheckoutPolicy,
  type StartedPolicy,
  startCheckoutPolicy,
} from "../../src/checkout/policy/policies.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { ownAccountId } from "../owner.ts";
import { PAGES } from "../paging.ts";
import { keepBrowser, visitorOf } from "../visitor.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const SHA256 = "SHA-256 of the document's canonical JSON (RFC 8785), hexadecimal: the passkey's challenge.";

export const CheckoutPolicyNode = builder.prismaNode("CheckoutPolicy", {
  id: { field: "id", description: "The policy's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountId(context) }),
  nullable: true,
  description: "What agents may buy without asking. A version never changes; signing another takes its place.",
  fields: (t) => ({
    policyId: t.exposeID("id", { description: "The policy's own id." }),
    version: t.exposeInt("version", { description: "1 for the account's first policy." }),
    document: t.expose("document", { type: "JSON", description: "The policy as it was signed." }),
    policySha256: t.string({ description: SHA256, resolve: ({ policySha256 }) => hex(policySha256) }),
    signature: t.expose("signature", { type: "JSON", description: "The passkey's assertion." }),
    isInForce: t.boolean({
      description: "Whether it covers orders now.",
      resolve: ({ activeSlot, notBefore, expiresAt }) =>
        activeSlot !== null && notBefore.getTime() <= Date.now() && expiresAt.getTime() > Date.now(),
    }),
    currency: t.exposeString("currency", { description: "The currency of its amounts (ISO 4217)." }),
    dayUsedMinor: t.field({
      type: "MinorAmount",
      description:
        "What its orders used of today (UTC): those under way, and those whose card had left the vault when they ended.",
      select: { day: true, dayUsedMinor: true },
      resolve: ({ day, dayUsedMinor }) => (isNow(day, 10) ? Number(dayUsedMinor) : 0),
    }),
    monthUsedMinor: t.field({
      type: "MinorAmount",
      description: "The same of this month (UTC).",
      select: { month: true, monthUsedMinor: true },
      resolve: ({ month, monthUsedMinor }) => (isNow(month, 7) ? Number(monthUsedMinor) : 0),
    }),
    notBefore: t.expose("notBefore", { type: "DateTime", description: "From when on it covers orders." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when." }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was ended by hand." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was signed." }),
  }),
});

/** @param length of the ISO date's part that must be today's */
function isNow(date: Date, length: number): boolean {
  return date.toISOString().slice(0, length) === new Date().toISOString().slice(0, length);
}

builder.objectFields(ViewerType, (t) => ({
  checkoutPolicy: t.prismaField({
    type: CheckoutPolicyNode,
    nullable: true,
    description: "The standing policy that was signed last and not revoked; null when there is none.",
    resolve: (query, { accountId }, _args, { deps }) =>
      deps.db.prisma.checkoutPolicy.findUnique({ ...query, where: { activeSlot: accountId } }),
  }),
  checkoutPolicies: t.prismaConnection(
    {
      type: CheckoutPolicyNode,
      ...PAGES,
      description: "Every policy the account signed, newest first.",
      resolve: (query, { accountId }, _args, { deps }) =>
        deps.db.prisma.checkoutPolicy.findMany({ ...query, where: { accountId }, orderBy: { version: "desc" } }),
    },
    { name: "CheckoutPolicyConnection", description: "A page of policies." },
    { name: "CheckoutPolicyEdge", description: "A policy in a list." },
  ),
}));

const PolicyStanceEnum = builder.enumType("PolicyStance", {
  description: "What happens to an order of that kind.",
  values: {
    REQUIRE_APPROVAL: { value: "require_approval", description: "It waits for the person's passkey." },
    ALLOW: { value: "allow", description: "It goes ahead." },
  } as const,
});

const StartCheckoutPolicyInput = builder.inputType("StartCheckoutPolicyInput", {
  description: "What agents may buy without asking. Orders outside of it wait for the person's passkey.",
  fields: (t) => ({
    currency: t.string({ required: true, description: "The currency of the amounts; orders in others wait." }),
    perOrderMaxMinor: t.field({ type: "MinorAmount", required: true, description: "The most of one order." }),
    dailyMaxMinor: t.field({ type: "MinorAmount", required: true, description: "The most of a day (UTC)." }),
    monthlyMaxMinor: t.field({ type: "MinorAmount", required: true, description: "The most of a month (UTC)." }),
    allowedMerchants: t.stringList({ description: "Shops' own ids; null: any shop. An empty list allows none." }),
    blockedMerchants: t.stringList({ description: "Shops that are excluded." }),
    allowedCountries: t.stringList({ description: "Countries of shops (ISO 3166); empty: any." }),
    newMerchant: t.field({
      type: PolicyStanceEnum,
      description: "Shops nothing was bought at before; default: they wait.",
    }),
    shipToOther: t.field({
      type: PolicyStanceEnum,
      description: "Other addresses than the cardholder's; default: they wait.",
    }),
    cardIds: t.stringList({ description: "Cards' own ids; empty: any card." }),
    notBefore: t.field({ type: "DateTime", description: "From when on; default: now." }),
    expiresAt: t.field({ type: "DateTime", required: true, description: "Until when; at most 366 days from now." }),
  }),
});

const StartCheckoutPolicySuccess = builder.objectRef<StartedPolicy>("StartCheckoutPolicySuccess").implement({
  description: "What is to be signed, exactly.",
  fields: (t) => ({
    attemptId: t.exposeID("attemptId", { description: "Names the attempt; goes with the passkey's answer." }),
    document: t.field({
      type: "JSON",
      description: "The policy: show it to the person.",
      resolve: ({ document }) => document,
    }),
    options: t.field({
      type: "JSON",
      description:
        "PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3), for `navigator.credentials.get`. Its challenge is the document's digest. Good for 5 minutes and one answer.",
      resolve: ({ options }) => options,
    }),
  }),
});

builder.mutationField("startCheckoutPolicy", (t) =>
  t.field({
    type: StartCheckoutPolicySuccess,
    description: "Writes a standing policy down to be signed. For the person in their own browser.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "StartCheckoutPolicyResult", description: "What is to be signed, or why there is nothing." },
    },
    args: { input: t.arg({ type: StartCheckoutPolicyInput, required: true, description: "The terms." }) },
    resolve: async (_root, { input }, context) =>
      keepBrowser(
        context,
        await startCheckoutPolicy(context.deps, visitorOf(context), {
          ...input,
          allowedMerchants: input.allowedMerchants ?? null,
          blockedMerchants: input.blockedMerchants ?? [],
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
  builder.objectRef<{ readonly policy: CheckoutPolicy }>(name).implement({
    description,
    fields: (t) => ({ policy: t.expose("policy", { type: CheckoutPolicyNode, description: "The policy." }) }),
  });

const CreateCheckoutPolicyInput = builder.inputType("CreateCheckoutPolicyInput", {
  description: "The passkey's signature.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The attempt it answers." }),
    response: t.field({ type: "JSON", required: true, description: "AuthenticationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("createCheckoutPolicy", (t) =>
  t.field({
    type: signed("CreateCheckoutPolicySuccess", "The policy is in force, in place of the one before it."),
    description:
      "Puts a signed policy in force. What was used of the day and the month in its currency stays used. For the person in their own browser.",
    errors: {
      types: [...BOUNDED_ERRORS, PasskeyRefusedError],
      union: { name: "CreateCheckoutPolicyResult", description: "The policy, or why there is none." },
    },
    args: { input: t.arg({ type: CreateCheckoutPolicyInput, required: true, description: "The signature." }) },
    resolve: async (_root, { input }, context) => ({
      policy: await createCheckoutPolicy(context.deps, visitorOf(context), input),
    }),
  }),
);

const RevokeCheckoutPolicyInput = builder.inputType("RevokeCheckoutPolicyInput", {
  description: "The policy to end.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The policy's global id." }) }),
});

builder.mutationField("revokeCheckoutPolicy", (t) =>
  t.field({
    type: signed("RevokeCheckoutPolicySuccess", "The policy covers nothing any more. Orders under way go on."),
    description: "Ends a standing policy at once. For the person in their own browser.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeCheckoutPolicyResult", description: "The policy, or why nothing changed." },
    },
    args: { input: t.arg({ type: RevokeCheckoutPolicyInput, required: true, description: "The policy." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      return { policy: await revokeCheckoutPolicy(deps, viewer, idOf("CheckoutPolicy", input.id)) };
    },
  }),
);
