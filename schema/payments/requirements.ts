/** What a resource would cost: the query `x402Requirements`, and entries of `accepts` as others show them too. */

import { PROXY_METHODS } from "../../src/payments/proxy/ports.ts";
import type { ConsideredEntry } from "../../src/payments/x402/choice.ts";
import type { RefusalReason } from "../../src/payments/x402/requirement.ts";
import { type ResourcePrice, x402Requirements } from "../../src/payments/x402-requirements.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS, TARGET_ERRORS } from "../errors.ts";

export const ProxyMethodEnum = builder.enumType("HttpMethod", {
  description: "The method used toward the target.",
  values: Object.fromEntries(PROXY_METHODS.map((method) => [method, { description: `HTTP ${method}.` }])) as Record<
    (typeof PROXY_METHODS)[number],
    { description: string }
  >,
});

export const SchemeEnum = builder.enumType("PaymentScheme", {
  description: "How an X402 payment is authorized.",
  values: {
    exact: { description: "Exactly the price." },
    upto: { description: "At most a cap; the target charges the actual cost when it settles." },
  },
});

const REASONS: Readonly<Record<RefusalReason, string>> = {
  malformed: "It cannot be read.",
  too_large: "It is too large to be sent back in a header.",
  unsupported_scheme: "Its scheme is neither exact nor upto.",
  unsupported_network: "Its network is not known here.",
  unsupported_transfer_method: "It asks for a way of moving the asset that is not supported.",
  unknown_asset: "It asks for something other than USDC.",
  domain_mismatch: "Its EIP-712 domain disagrees with the token's.",
  network_not_allowed: "The caller may not pay on its network, or the network is not configured.",
  payee_not_allowed: "The caller may not pay its recipient.",
  spender_not_pinned: "Its permit's spender is not a known facilitator.",
  max_value_exceeded: "It costs more than `maxValue`.",
  costlier: "Another one is cheaper.",
  not_preferred: "Another one of the same price goes before it.",
  fee_payer_conflict: "Its fee payer is the caller's own wallet.",
  permit2_allowance_missing: "The wallet has not approved Permit2 for the asset.",
};

const EntryRefusalEnum = builder.enumType("OfferRefusal", {
  description: "Why an offer was not chosen.",
  values: Object.fromEntries(
    Object.entries(REASONS).map(([reason, description]) => [reason, { description }]),
  ) as Record<RefusalReason, { description: string }>,
});

export const ConsideredEntryType = builder.objectRef<ConsideredEntry>("X402Offer").implement({
  description: "One entry of a target's `accepts`, and what becomes of it. Fields are null where it cannot be read.",
  fields: (t) => ({
    index: t.exposeInt("index", { description: "Its position in `accepts`." }),
    chosen: t.exposeBoolean("chosen", { description: "Whether it is the one that would be paid." }),
    refusal: t.expose("reason", {
      type: EntryRefusalEnum,
      nullable: true,
      description: "Why not; null for the chosen one.",
    }),
    explanation: t.exposeString("message", { description: "The same in plain words." }),
    x402Version: t.int({
      nullable: true,
      description: "The protocol version it is written in.",
      resolve: ({ requirement }) => requirement?.x402Version,
    }),
    scheme: t.field({
      type: SchemeEnum,
      nullable: true,
      description: "How it would be paid.",
      resolve: ({ requirement }) => requirement?.scheme,
    }),
    network: t.field({
      type: "NetworkName",
      nullable: true,
      description: "The network it is paid on.",
      resolve: ({ requirement }) => requirement?.network.name,
    }),
    asset: t.string({
      nullable: true,
      description: "The token's contract or mint address.",
      resolve: ({ requirement }) => requirement?.asset,
    }),
    payTo: t.string({
      nullable: true,
      description: "The recipient.",
      resolve: ({ requirement }) => requirement?.payTo,
    }),
    amountAtomic: t.field({
      type: "AtomicAmount",
      nullable: true,
      description: "The price, or for upto the cap.",
      resolve: ({ requirement }) => requirement?.amountAtomic,
    }),
    amountUsd: t.field({
      type: "Usd",
      nullable: true,
      description: "The same in US dollars.",
      resolve: ({ requirement }) => requirement?.amountMicroUsd,
    }),
    resource: t.string({
      nullable: true,
      description: "What is paid for, as the target names it.",
      resolve: ({ requirement }) => requirement?.resource,
    }),
    description: t.string({
      nullable: true,
      description: "The target's own words.",
      resolve: ({ requirement }) => requirement?.description,
    }),
    maxTimeoutSeconds: t.int({
      nullable: true,
      description: "How long a signed authorization may be valid.",
      resolve: ({ requirement }) => requirement?.maxTimeoutSeconds,
    }),
  }),
});

const Success = builder.objectRef<ResourcePrice>("X402RequirementsSuccess").implement({
  description: "What the target asks for.",
  fields: (t) => ({
    free: t.boolean({ description: "The target asks for no payment.", resolve: ({ status }) => status !== 402 }),
    status: t.exposeInt("status", { description: "The target's HTTP status: 402 when it asks for payment." }),
    chosen: t.field({
      type: ConsideredEntryType,
      nullable: true,
      description: "The offer that would be paid; null when none can be, or none is needed.",
      resolve: ({ considered }) => considered.find((entry) => entry.chosen),
    }),
    offers: t.field({
      type: [ConsideredEntryType],
      complexity: { field: 1, multiplier: 10 },
      description: "Every entry of `accepts`, in its order.",
      resolve: ({ considered }) => considered,
    }),
  }),
});

builder.queryField("x402Requirements", (t) =>
  t.field({
    type: Success,
    complexity: 100,
    authScopes: { account: true },
    description:
      "What would a resource cost, which offer would be chosen, and why not the others? Asks, and pays nothing.",
    errors: {
      types: [...INPUT_ERRORS, ...TARGET_ERRORS],
      union: { name: "X402RequirementsResult", description: "What the target asks for, or why it cannot be told." },
    },
    args: {
      url: t.arg({ type: "Url", required: true, description: "The resource." }),
      method: t.arg({
        type: ProxyMethodEnum,
        defaultValue: "GET",
        required: true,
        description: "The method used toward it.",
      }),
    },
    resolve: (_root, { url, method }, { deps, viewer }) => x402Requirements(deps, viewer, { url, method }),
  }),
);
