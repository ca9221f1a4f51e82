/** Reserving the most that a call may cost at a provider with an API key of ours: from credit, or else in the wallet. */
import { type AccountViewer, mayPay, mayPayHost } from "../accounts/viewer.ts";
import { X402NotEnabledError } from "../payments/pay.ts";
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
import { paymentKey } from "./pay-by-x402.ts";
import { atLeast } from "./price.ts";

export interface CallReservation {
  readonly transactionId: string;
  /** Where the wallet pays; null when credit does. */
  readonly network: EvmNetwork | null;
  /** What is reserved, and the least that is charged unless the call costs nothing, in micro-USD. */
  readonly most: bigint;
  readonly least: bigint;
}

/** What is reserved, but for whose money it is. */
type TermsOn = (network: Network, mostMicroUsd: bigint) => Omit<Reservation, "source">;

const MADE = "The call under this Idempotency-Key has been made, and its answer is not kept. Use a new key.";

/**
 * Credit pays while it covers the highest cost, otherwise the wallet does on the first network where it can.
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
  assertMayPay(account, url, treasury.evmAddress);
  const networks = networksOf(deps, account);
  const termsOn = termsOf(account, attempt, { url, payTo: treasury.evmAddress });
  try {
    const ofCredit = await reserveCredit(deps, account, { treasury, networks, most: bound.highestMicroUsd, termsOn });
    return ofCredit ?? (await reserveInWallet(deps, { own, networks, highest: bound.highestMicroUsd, termsOn }));
  } catch (error) {
    if (error instanceof DuplicateReservationError) throw new IdempotencyKeyReusedError(MADE);
    if (error instanceof X402TurnedOffError) throw new X402NotEnabledError(deps.settings.dashboardUrl);
    throw error;
  }
}

/** Null where credit does not cover it. */
async function reserveCredit(
  { db }: GatewayDeps,
  account: AccountViewer,
  asked: { treasury: SealedWallet; networks: readonly EvmNetwork[]; most: bigint; termsOn: TermsOn },
): Promise<CallReservation | null> {
  const { treasury, most } = asked;
  const [network] = asked.networks;
  if (!network || account.creditMicroUsd < most) return null;
  try {
    const source = { kind: "credit" as const, walletId: treasury.id };
    const transactionId = await reserve(db, { ...asked.termsOn(network, most), source });
    return { transactionId, network: null, most, least: 0n };
  } catch (error) {
    if (error instanceof InsufficientBalanceError) return null;
    throw error;
  }
}

/** Of a wallet each call is a transaction whose fee the treasury bears: it costs no less than that is worth. */
async function reserveInWallet(
  deps: GatewayDeps,
  asked: { own: SealedWallet; networks: readonly EvmNetwork[]; highest: bigint; termsOn: TermsOn },
): Promise<CallReservation> {
  const { own, networks } = asked;
  const least = deps.gateway.walletMinimumMicroUsd;
  const most = atLeast(asked.highest, least);
  let refusal: InsufficientBalanceError | null = null;
  for (const network of networks) {
    try {
      const wallet = { id: own.id, address: addressOn(network, own) };
      const transactionId = await reserveFromWallet(deps, wallet, asked.termsOn(network, most));
      return { transactionId, network, most, least };
    } catch (error) {
      if (!(error instanceof InsufficientBalanceError)) throw error;
      refusal ??= error;
    }
  }
  throw (
    refusal ?? new ForbiddenError("This token may pay on none of the networks that pay for this model. No money moved.")
  );
}

function termsOf(
  account: AccountViewer,
  { offer, idempotencyKey }: Attempt,
  { url, payTo }: { readonly url: string; readonly payTo: string },
): TermsOn {
  return (network, most) => ({
    accountId: account.accountId,
    type: "gateway",
    network: network.name,
    asset: network.usdc.address,
    amountAtomic: most,
    amountMicroUsd: most,
    budgetIds: account.budgetIds,
    scheme: null,
    resource: url,
    payTo,
    description: offer.model.id,
    // What is signed, if the wallet pays, is known once the cost is.
    authorization: {},
    nonce: null,
    permitSlot: null,
    purchaseTokenId: null,
    validBefore: null,
    idempotencyKey: idempotencyKey === null ? null : paymentKey(idempotencyKey, offer.provider.name),
  });
}

/**
 * The default first. The treasury is paid by EIP-3009, which Solana does not have. A provider sends this service a real bill,
 * which money of a testnet, there for the asking, does not pay: such money counts only where the default network is a testnet.
 */
function networksOf({ chains, settings }: GatewayDeps, { rules }: AccountViewer): EvmNetwork[] {
  const names = new Set([settings.defaultNetwork, ...chains.networks]);
  const takesTestMoney = NETWORKS[settings.defaultNetwork].isTestnet;
  return [...names].flatMap((name) => {
    const network: Network = NETWORKS[name];
    const isUsable = chains.networks.includes(name) && rules.networks.includes(name);
    const isMoney = takesTestMoney || !network.isTestnet;
    return isUsable && isMoney && network.kind === "evm" ? [network] : [];
  });
}

function assertMayPay({ rules }: AccountViewer, url: string, treasury: string): void {
  if (!mayPayHost(rules, url)) {
    throw new ForbiddenError(`This token may not pay ${new URL(url).hostname}. No money moved.`);
  }
  if (!mayPay(rules, treasury)) throw new ForbiddenError("This token may not pay this service. No money moved.");
}
