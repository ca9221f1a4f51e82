/** The query `x402Requirements` for the price of a resource, and the shared type of entries of `accepts`. */

import { PROXY_METHODS } from "../../src/payments/proxy/ports.ts";
import type { ConsideredEntry } from "../../src/payments/x402/choice.ts";
import type { RefusalReason } from "../../src/payments/x402/requirement.ts";
import { type ResourcePrice, x402Requirements } from "../../src/payments/x402-requirements.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS, TARGET_ERRORS } from "../errors.ts";
import { toUsdcAmount } from "../wallet/token-amounts.ts";
import { wireEnum } from "../wire-enum.ts";

export const ProxyMethodEnum = builder.enumType("HttpMethod", {
  description: "The HTTP method of the request to the target.",
  values: Object.fromEntries(PROXY_METHODS.map((method) => [method, { description: `HTTP ${method}.` }])) as Record<
    (typeof PROXY_METHODS)[number],
    { description: string }
  >,
});

export const SchemeEnum = wireEnum("PaymentScheme", "The X402 payment scheme.", {
  exact: "Authorizes exactly the price.",
  upto: "Authorizes up to a cap. The target charges the actual cost when it settles.",
});

const EntryRefusalEnum = wireEnum<RefusalReason>("OfferRefusal", "The reason why an offer was not chosen.", {
  malformed: "The offer cannot be parsed.",
  too_large: "The payment would not fit a header, because it repeats the offer.",
  unsupported_scheme: "The scheme is neither exact nor upto.",
  unsupported_network: "The network is unknown.",
  unsupported_transfer_method: "The transfer method is not supported.",
  unknown_asset: "The asset is not USDC.",
  domain_mismatch: "The EIP-712 domain does not match the token's, or a version 2 offer lacks it.",
  network_not_allowed: "The caller may not pay on the network, or the network is not configured.",
  payee_not_allowed: "The caller may not pay the recipient.",
  spender_not_pinned: "The spender of the permit is not a trusted facilitator.",
  max_value_exceeded: "The price exceeds `maxValue`.",
  costlier: "Another offer is cheaper.",
  not_preferred: "Another offer at the same price is preferred: exact before upto, then the earlier entry.",
  fee_payer_conflict: "The fee payer is itself part of the transfer.",
  permit2_allowance_missing: "The wallet has not approved Permit2 for the asset.",
});

export const ConsideredEntryType = builder.objectRef<ConsideredEntry>("X402Offer").implement({
  description:
    "One entry of a target's `accepts` with its evaluation. Nullable fields are null if the entry cannot be parsed.",
  fields: (t) => ({
    index: t.exposeInt("index", { description: "The position in `accepts`, from 0." }),
    chosen: t.exposeBoolean("chosen", { description: "Whether the offer is the one that would be paid." }),
    refusal: t.expose("reason", {
      type: EntryRefusalEnum,
      nullable: true,
      description: "The reason why the offer was not chosen, or null for the chosen one.",
    }),
    explanation: t.exposeString("message", { description: "A readable explanation of the evaluation." }),
    x402Version: t.int({
      nullable: true,
      description: "The X402 protocol version of the entry.",
      resolve: ({ requirement }) => requirement?.x402Version,
    }),
    scheme: t.field({
      type: SchemeEnum,
      nullable: true,
      description: "The payment scheme.",
      resolve: ({ requirement }) => requirement?.scheme,
    }),
    network: t.field({
      type: "NetworkName",
      nullable: true,
      description: "The network of the payment.",
      resolve: ({ requirement }) => requirement?.network.name,
    }),
    payTo: t.string({
      nullable: true,
      description: "The address of the recipient.",
      resolve: ({ requirement }) => requirement?.payTo,
    }),
    amount: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The price; the cap for upto.",
      resolve: ({ requirement }) => requirement && toUsdcAmount(requirement.network.name, requirement.amountAtomic),
    }),
    amountUsd: t.field({
      type: "Usd",
      nullable: true,
      description: "The price in US dollars; the cap for upto.",
      resolve: ({ requirement }) => requirement?.amountMicroUsd,
    }),
    resource: t.string({
      nullable: true,
      description: "The resource paid for, as the target states it.",
      resolve: ({ requirement }) => requirement?.resource,
    }),
    description: t.string({
      nullable: true,
      description: "The target's description of the resource.",
      resolve: ({ requirement }) => requirement?.description,
    }),
    maxTimeoutSeconds: t.int({
      nullable: true,
      description: "The validity of the signed authorization that the target requires, in seconds.",
      resolve: ({ requirement }) => requirement?.maxTimeoutSeconds,
    }),
  }),
});

const Success = builder.objectRef<ResourcePrice>("X402RequirementsSuccess").implement({
  description: "The payment requirements of the target.",
  fields: (t) => ({
    free: t.boolean({
      description: "Whether the target requires no payment.",
      resolve: ({ status }) => status !== 402,
    }),
    status: t.exposeInt("status", {
      description: "The HTTP status code of the target: 402 if it requires payment.",
    }),
    chosen: t.field({
      type: ConsideredEntryType,
      nullable: true,
      description: "The offer that would be paid, or null if none is usable or no payment is required.",
      resolve: ({ considered }) => considered.find((entry) => entry.chosen),
    }),
    offers: t.field({
      type: [ConsideredEntryType],
      complexity: { field: 1, multiplier: 10 },
      description: "Every entry of `accepts`, in order.",
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
      "The price of a resource, the offer that would be chosen, and the reasons against the others. Requests the resource and never pays.",
    errors: {
      types: [...INPUT_ERRORS, ...TARGET_ERRORS],
      union: { name: "X402RequirementsResult", description: "The payment requirements of the target, or the error." },
    },
    args: {
      url: t.arg({ type: "Url", required: true, description: "The URL of the resource." }),
      method: t.arg({
        type: ProxyMethodEnum,
        defaultValue: "GET",
        required: true,
        description: "The HTTP method of the request; default `GET`.",
      }),
      body: t.arg({ type: "JSON", description: "The body of the request, sent to the resource as JSON." }),
    },
    resolve: (_root, { url, method, body = null }, { deps, viewer }) =>
      x402Requirements(deps, viewer, { url, method, body }),
  }),
);
