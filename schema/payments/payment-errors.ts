/** Failures of operations that move money, with the figures behind them. */
import { LimitExceedsOwnError } from "../../src/accounts/api-tokens.ts";
import { PermitOutstandingError, X402NotEnabledError } from "../../src/payments/pay.ts";
import { MaxValueExceededError, NoAcceptableRequirementError } from "../../src/payments/x402/choice.ts";
import { ChainUnavailableError, TransferFailedError } from "../../src/wallet/chain.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import { PurchaseTokenUsedError } from "../../src/wallet/reservation.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, errorOf, IDEMPOTENCY_ERRORS } from "../errors.ts";
import { ConsideredEntryType } from "./requirements.ts";

const ACCEPTS = "The target's `accepts` as received, where the target was asked.";

/** Errors thrown while paying a target carry its `accepts`. */
const acceptsOf = (error: object): unknown => ("accepts" in error ? error.accepts : null);

builder.objectType(LimitExceedsOwnError, {
  name: "LimitExceedsOwnError",
  ...errorOf("A limit asked for is wider than the one of whoever asks."),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The limit's place in the input." }),
    ownUsd: t.expose("ownMicroUsd", { type: "Usd", description: "The caller's own limit." }),
  }),
});

builder.objectType(X402NotEnabledError, {
  name: "X402NotEnabledError",
  ...errorOf("X402 payments are opt-in and off for this account. No money moved."),
  fields: (t) => ({
    dashboardUrl: t.expose("dashboardUrl", { type: "Url", description: "Where a person turns them on." }),
  }),
});

builder.objectType(PermitOutstandingError, {
  name: "PermitOutstandingError",
  ...errorOf("Permits of one wallet go one at a time, and an earlier one has not settled yet. No money moved."),
});

builder.objectType(PurchaseTokenUsedError, {
  name: "PurchaseTokenUsedError",
  ...errorOf("The one-time purchase token has a payment, settled or outstanding, and makes no second one."),
});

const LimitPeriod = builder.enumType("LimitPeriod", {
  description: "What a spending limit counts.",
  values: {
    transaction: { description: "One payment alone." },
    day: { description: "All payments of a UTC day." },
    month: { description: "All payments of a UTC month." },
  },
});

builder.objectType(SpendingLimitExceededError, {
  name: "SpendingLimitExceededError",
  ...errorOf("A spending limit of the token or the account stands in the way. No money moved."),
  fields: (t) => ({
    period: t.expose("period", { type: LimitPeriod, description: "Which limit it is." }),
    limitUsd: t.expose("limitMicroUsd", { type: "Usd", description: "The limit." }),
    remainingUsd: t.expose("remainingMicroUsd", { type: "Usd", description: "What is left of it." }),
    requiredUsd: t.expose("requiredMicroUsd", { type: "Usd", description: "What the payment would cost." }),
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: acceptsOf }),
  }),
});

builder.objectType(InsufficientBalanceError, {
  name: "InsufficientBalanceError",
  ...errorOf("Credit does not cover the amount and the wallet does not hold it. No money moved."),
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network of the wallet." }),
    asset: t.exposeString("asset", { description: "The token's contract or mint address, or `native`." }),
    remainingAtomic: t.expose("remainingAtomic", { type: "AtomicAmount", description: "What is available." }),
    requiredAtomic: t.expose("requiredAtomic", { type: "AtomicAmount", description: "What is needed." }),
    symbol: t.exposeString("symbol", { description: "The symbol of what is lacking." }),
    decimals: t.exposeInt("decimals", { description: "How many decimal places one whole of it has." }),
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: acceptsOf }),
  }),
});

const CONSIDERED = "Every offer, and why it was not chosen.";

builder.objectType(MaxValueExceededError, {
  name: "MaxValueExceededError",
  ...errorOf("Every usable offer costs more than `maxValue`. No money moved."),
  fields: (t) => ({
    limitAtomic: t.expose("limitAtomic", { type: "AtomicAmount", description: "The caller's `maxValue`." }),
    requiredAtomic: t.expose("requiredAtomic", { type: "AtomicAmount", description: "The cheapest offer's price." }),
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: acceptsOf }),
    considered: t.field({ type: [ConsideredEntryType], description: CONSIDERED, resolve: (e) => e.considered }),
  }),
});

builder.objectType(NoAcceptableRequirementError, {
  name: "NoAcceptableRequirementError",
  ...errorOf("None of the target's offers can be used. No money moved."),
  fields: (t) => ({
    accepts: t.field({ type: "JSON", nullable: true, description: ACCEPTS, resolve: acceptsOf }),
    considered: t.field({ type: [ConsideredEntryType], description: CONSIDERED, resolve: (e) => e.considered }),
  }),
});

builder.objectType(UnsupportedNetworkError, {
  name: "UnsupportedNetworkError",
  ...errorOf("This installation is not connected to that network."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

builder.objectType(ChainUnavailableError, {
  name: "ChainUnavailableError",
  ...errorOf("The network's nodes do not answer right now. No money moved."),
  fields: (t) => ({ network: t.expose("network", { type: "NetworkName", description: "The network." }) }),
});

builder.objectType(TransferFailedError, {
  name: "TransferFailedError",
  ...errorOf("The network refused the transfer. No money moved."),
});

/** What anything that spends may be refused with. */
export const SPENDING_ERRORS = [
  ...BOUNDED_ERRORS,
  ...IDEMPOTENCY_ERRORS,
  SpendingLimitExceededError,
  InsufficientBalanceError,
  UnsupportedNetworkError,
  ChainUnavailableError,
];

/** What making an X402 payment may be refused with. */
export const PAYMENT_ERRORS = [
  ...SPENDING_ERRORS,
  X402NotEnabledError,
  PermitOutstandingError,
  MaxValueExceededError,
  NoAcceptableRequirementError,
];

/** What sending tokens to an address may be refused with. */
export const TRANSFER_ERRORS = [...SPENDING_ERRORS, TransferFailedError];
