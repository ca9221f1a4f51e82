/** Reservation of the maximum cost of a call to a provider with the operator's API key: from credit, otherwise in the wallet. */
import { type AccountViewer, isHostAllowed, isPayeeAllowed } from "../accounts/viewer.ts";
import { recordingRefusal } from "../payments/declined-payments.ts";
import { X402NotEnabledError } from "../payments/refusals.ts";
import { reserveFromWallet } from "../payments/reserve-from-wallet.ts";
import { ForbiddenError } from "../platform/errors.ts";
import { IdempotencyKeyReusedError } from "../platform/idempotency/claim.ts";
import { addressOn, type EvmNetwork, NETWORKS, type Network } from "../wallet/networks.ts";
import { InsufficientBalanceError, X402TurnedOffError } from "../wallet/refusal-reason.ts";
import { DuplicateReservationError, reserve } from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { Attempt } from "./attempt.ts";
import type { GatewayDeps } from "./deps.ts";
import { derivePaymentKey } from "./pay-by-x402.ts";
import { applyMinimum } from "./price.ts";

export interface CallReservation {
  readonly transactionId: string;
  /** The network on which the wallet pays; null if credit pays. */
  readonly network: EvmNetwork | null;
  /** The reserved amount in micro-USD. `minMicroUsd` is the minimum charge of a call that is not free. */
  readonly maxMicroUsd: bigint;
  readonly minMicroUsd: bigint;
}

/** Returns the reservation on a network, without its source of funds. */
type CreateTerms = (network: Network, mostMicroUsd: bigint) => Omit<Reservation, "source">;

const ALREADY_MADE =
  "A call with this Idempotency-Key was already made, and its response is not stored. Use a new key.";

/**
 * Reserves the maximum cost from credit if it covers it, otherwise from the wallet on the first network with sufficient funds.
 *
 * @throws {ForbiddenError | SpendingLimitExceededError | InsufficientBalanceError | IdempotencyKeyReusedError | X402NotEnabledError}
 */
export async function reserveMaxCost(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<CallReservation> {
  const { bound, offer } = attempt;
  const [treasury, own] = await Promise.all([deps.wallets.treasury(), deps.wallets.ofAccount(account.accountId)]);
  const url = `${offer.provider.baseUrl}/chat/completions`;
  return await recordingRefusal(deps, account, { type: "gateway", resource: url }, async () => {
    assertMayPay(account, url, treasury.evmAddress);
    const networks = listPaymentNetworks(deps, account);
    const createTerms = createTermsFactory(account, attempt, { url, payTo: treasury.evmAddress });
    try {
      const creditReservation = await reserveCredit(deps, account, {
        treasury,
        networks,
        maxMicroUsd: bound.maxCostMicroUsd,
        createTerms,
      });
      return (
        creditReservation ??
        (await reserveInWallet(deps, { own, networks, maxCostMicroUsd: bound.maxCostMicroUsd, createTerms }))
      );
    } catch (error) {
      if (error instanceof DuplicateReservationError) throw new IdempotencyKeyReusedError(ALREADY_MADE);
      if (error instanceof X402TurnedOffError) throw new X402NotEnabledError(deps.settings.dashboardUrl);
      throw error;
    }
  });
}

/** Reserves the cost from credit. Returns null if credit does not cover it. */
async function reserveCredit(
  { db }: GatewayDeps,
  account: AccountViewer,
  request: { treasury: SealedWallet; networks: readonly EvmNetwork[]; maxMicroUsd: bigint; createTerms: CreateTerms },
): Promise<CallReservation | null> {
  const { treasury, maxMicroUsd } = request;
  const [network] = request.networks;
  if (!network || account.creditMicroUsd < maxMicroUsd) return null;
  try {
    const source = { kind: "credit" as const, walletId: treasury.id };
    const transactionId = await reserve(db, { ...request.createTerms(network, maxMicroUsd), source });
    return { transactionId, network: null, maxMicroUsd, minMicroUsd: 0n };
  } catch (error) {
    if (error instanceof InsufficientBalanceError) return null;
    throw error;
  }
}

/** Reserves the cost in the wallet. Each call is an on-chain transfer whose fee the treasury bears, hence the minimum cost. */
async function reserveInWallet(
  deps: GatewayDeps,
  request: { own: SealedWallet; networks: readonly EvmNetwork[]; maxCostMicroUsd: bigint; createTerms: CreateTerms },
): Promise<CallReservation> {
  const { own, networks } = request;
  const minMicroUsd = deps.gateway.walletMinimumMicroUsd;
  const maxMicroUsd = applyMinimum(request.maxCostMicroUsd, minMicroUsd);
  let firstError: InsufficientBalanceError | null = null;
  for (const network of networks) {
    try {
      const wallet = { id: own.id, address: addressOn(network, own) };
      const transactionId = await reserveFromWallet(deps, wallet, request.createTerms(network, maxMicroUsd));
      return { transactionId, network, maxMicroUsd, minMicroUsd };
    } catch (error) {
      if (!(error instanceof InsufficientBalanceError)) throw error;
      firstError ??= error;
    }
  }
  throw (
    firstError ??
    new ForbiddenError(
      "This token permits none of the networks that can pay for this model. No payment was made. Use another token.",
    )
  );
}

function createTermsFactory(
  account: AccountViewer,
  { offer, idempotencyKey, claim }: Attempt,
  { url, payTo }: { readonly url: string; readonly payTo: string },
): CreateTerms {
  return (network, maxMicroUsd) => ({
    accountId: account.accountId,
    type: "gateway",
    network: network.name,
    asset: network.usdc.address,
    amountAtomic: maxMicroUsd,
    amountMicroUsd: maxMicroUsd,
    budgetIds: account.budgetIds,
    scheme: null,
    resource: url,
    payTo,
    description: offer.model.id,
    // If the wallet pays, the authorization is created once the cost is known.
    authorization: {},
    nonce: null,
    permitSlot: null,
    purchaseTokenId: null,
    validBefore: null,
    idempotencyKey: idempotencyKey === null ? null : derivePaymentKey(idempotencyKey, offer.provider.name),
    claim,
  });
}

/**
 * Returns the networks that can pay, the default first. Payments to the treasury use EIP-3009, which Solana does not have.
 * Providers bill the operator in real money, so testnets are included only if the default network is one.
 */
function listPaymentNetworks({ chains, settings }: GatewayDeps, { rules }: AccountViewer): EvmNetwork[] {
  const names = new Set([settings.defaultNetwork, ...chains.networks]);
  const acceptsTestMoney = NETWORKS[settings.defaultNetwork].isTestnet;
  return [...names].flatMap((name) => {
    const network: Network = NETWORKS[name];
    const isUsable = chains.networks.includes(name) && rules.networks.includes(name);
    const isAcceptedMoney = acceptsTestMoney || !network.isTestnet;
    return isUsable && isAcceptedMoney && network.kind === "evm" ? [network] : [];
  });
}

function assertMayPay({ rules }: AccountViewer, url: string, treasury: string): void {
  if (!isHostAllowed(rules, url)) {
    throw new ForbiddenError(
      `This token does not permit payments to ${new URL(url).hostname}. No payment was made. Use another token.`,
    );
  }
  if (!isPayeeAllowed(rules, treasury)) {
    throw new ForbiddenError(
      "This token does not permit payments to Satchel's own address. No payment was made. Use another token.",
    );
  }
}
