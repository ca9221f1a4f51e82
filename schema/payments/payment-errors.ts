/** Errors of operations that spend funds, with the amounts involved. */
import { LimitExceedsOwnError } from "../../src/accounts/api-tokens.ts";
import { PermitOutstandingError, X402NotEnabledError } from "../../src/payments/refusals.ts";
import { MaxValueExceededError, NoAcceptableRequirementError } from "../../src/payments/x402/choice.ts";
import { ChainUnavailableError, TransferFailedError } from "../../src/wallet/chain.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, createErrorOptions, IDEMPOTENCY_ERRORS } from "../errors.ts";
import { toUsdcAmount } from "../wallet/token-amounts.ts";
import { wireEnum } from "../wire-enum.ts";
import { ConsideredEntryType } from "./requirements.ts";

const ACCEPTS = "The target's `accepts` as received, or null if the target was not requested.";

/** Returns the target's `accepts`, which errors thrown while paying a target contain. */
const readAccepts = (error: object): unknown => ("accepts" in error ? error.accepts : null);

builder.objectType(LimitExceedsOwnError, {
  name: "LimitExceedsOwnError",
  ...createErrorOptions("A requested limit is higher than the caller's own limit."),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the limit in the input." }),
    ownUsd: t.expose("ownMicroUsd", { type: "Usd", description: "The caller's own limit in US dollars." }),
  }),
});

builder.objectType(X402NotEnabledError, {
  name: "X402NotEnabledError",
  ...createErrorOptions("X402 payments, which are opt-in, are disabled for the account. No payment was made."),
  fields: (t) => ({
    dashboardUrl: t.expose("dashboardUrl", {
      type: "Url",
      description: "The dashboard page on which the account owner enables X402 payments.",
    }),
  }),
});

builder.objectType(PermitOutstandingError, {
  name: "PermitOutstandingError",
  ...createErrorOptions("An earlier permit of the wallet is outstanding, and only one may be. No payment was made."),
});

builder.objectType(PurchaseTokenUsedError, {
  name: "PurchaseTokenUsedError",
  ...createErrorOptions("The one-time purchase token already has a payment, settled or outstanding."),
});

export const LimitPeriod = wireEnum("LimitPeriod", "The payments that a spending limit counts.", {
  transaction: "A single payment.",
  day: "All payments of a UTC day.",
  month: "All payments of a UTC month.",
});

builder.objectType(SpendingLimitExceededError, {
  name: "SpendingLimitExceededError",
  ...createErrorOptions("A spending limit of the token or the account is exceeded. No payment was made."),
  fields: (t) => ({
    period: t.expose("period", { type: LimitPeriod, description: "The period of the limit." }),
    limitUsd: t.expose("limitMicroUsd", { type: "Usd", description: "The limit in US dollars." }),
    remainingUsd: t.expose("remainingMicroUsd", {
      type: "Usd",
      description: "The unused part of the limit in US dollars.",
    }),
    requiredUsd: t.expose("requiredMicroUsd", {
      type: "Usd",
      description: "The amount of the payment in US dollars.",
    }),
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: readAccepts }),
  }),
});

const pickAsset = ({ symbol, decimals, asset, network }: InsufficientBalanceError) => ({
  symbol,
  decimals,
  asset,
  network,
});

builder.objectType(InsufficientBalanceError, {
  name: "InsufficientBalanceError",
  ...createErrorOptions("Neither free credit nor the wallet covers the amount. No payment was made."),
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network of the wallet." }),
    remaining: t.field({
      type: TokenAmountType,
      description: "The available amount.",
      resolve: (error) => ({ ...pickAsset(error), atomic: error.remainingAtomic }),
    }),
    required: t.field({
      type: TokenAmountType,
      description: "The required amount.",
      resolve: (error) => ({ ...pickAsset(error), atomic: error.requiredAtomic }),
    }),
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: readAccepts }),
  }),
});

const CONSIDERED = "Every offer, with the reason why it was not chosen.";

builder.objectType(MaxValueExceededError, {
  name: "MaxValueExceededError",
  ...createErrorOptions("Every usable offer costs more than `maxValue`. No payment was made."),
  fields: (t) => ({
    limit: t.field({
      type: TokenAmountType,
      description: "The caller's `maxValue`, as an amount of the cheapest offer's asset.",
      resolve: ({ network, limitAtomic }) => toUsdcAmount(network, limitAtomic),
    }),
    required: t.field({
      type: TokenAmountType,
      description: "The price of the cheapest usable offer.",
      resolve: ({ network, requiredAtomic }) => toUsdcAmount(network, requiredAtomic),
    }),
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: readAccepts }),
    considered: t.field({ type: [ConsideredEntryType], description: CONSIDERED, resolve: (e) => e.considered }),
  }),
});

builder.objectType(NoAcceptableRequirementError, {
  name: "NoAcceptableRequirementError",
  ...createErrorOptions("No offer of the target can be used. No payment was made."),
  fields: (t) => ({
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: readAccepts }),
    considered: t.field({ type: [ConsideredEntryType], description: CONSIDERED, resolve: (e) => e.considered }),
  }),
});

builder.objectType(UnsupportedNetworkError, {
  name: "UnsupportedNetworkError",
  ...createErrorOptions("The network is unknown or not configured."),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the network in the input." }),
  }),
});

builder.objectType(ChainUnavailableError, {
  name: "ChainUnavailableError",
  ...createErrorOptions("The network's RPC nodes do not respond. No payment was made."),
  fields: (t) => ({ network: t.expose("network", { type: "NetworkName", description: "The network." }) }),
});

builder.objectType(TransferFailedError, {
  name: "TransferFailedError",
  ...createErrorOptions("The network rejected the transfer. Nothing was transferred."),
});

/** Errors of every operation that spends funds. */
export const SPENDING_ERRORS = [
  ...BOUNDED_ERRORS,
  ...IDEMPOTENCY_ERRORS,
  SpendingLimitExceededError,
  InsufficientBalanceError,
  UnsupportedNetworkError,
  ChainUnavailableError,
];

/** Errors of an X402 payment. */
export const PAYMENT_ERRORS = [
  ...SPENDING_ERRORS,
  X402NotEnabledError,
  PermitOutstandingError,
  MaxValueExceededError,
  NoAcceptableRequirementError,
];

/** Errors of a transfer to an address. */
export const TRANSFER_ERRORS = [...SPENDING_ERRORS, TransferFailedError];
