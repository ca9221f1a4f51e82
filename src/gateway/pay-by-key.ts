/** A provider with an API key of ours: the highest cost is reserved before it is asked, and the real cost settled after. */
import { type AccountViewer, mayPay, mayPayHost } from "../accounts/viewer.ts";
import { X402NotEnabledError } from "../payments/pay.ts";
import { reserveFromWallet } from "../payments/reserve-from-wallet.ts";
import { addressOn } from "../payments/signed-payment.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import type { Statement } from "../platform/database.ts";
import { ForbiddenError } from "../platform/errors.ts";
import { IdempotencyKeyReusedError } from "../platform/idempotency.ts";
import { release } from "../wallet/ledger.ts";
import { type EvmNetwork, NETWORKS, type Network } from "../wallet/networks.ts";
import { InsufficientBalanceError, X402TurnedOffError } from "../wallet/refusal.ts";
import { DuplicateReservationError, reserve } from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import { type Attempt, LONGEST_ANSWER_MS } from "./attempt.ts";
import { chargeWallet } from "./charge-wallet.ts";
import type { GatewayDeps } from "./deps.ts";
import { leaveOff } from "./leave-off.ts";
import { free, type ProviderResponse, paymentKey } from "./pay-by-x402.ts";
import type { CallPayment } from "./payment.ts";
import { atLeast, atMost, costMicroUsd } from "./price.ts";

const HEARTBEAT_MS = 20_000;

// Reserved and unsigned, a row is given back after a minute: a call under way says that it still lives. A crash stops that,
// and the operator bears what the provider then charges.
const HEARTBEAT: Statement = {
  name: "gateway-heartbeat",
  text: "UPDATE transactions SET next_check_at = now() + interval '60 seconds' WHERE id = $1 AND status = 'reserved'",
};

/** @throws {ServiceError} what the reservation refuses with; what the provider cannot be reached with. Then nothing is charged. */
export async function askWithKey(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<ProviderResponse> {
  const { provider } = attempt.offer;
  const held = await hold(deps, account, attempt);
  if (attempt.signal?.aborted) {
    await held.giveBack("The caller left before the provider was asked.");
    attempt.signal.throwIfAborted();
  }
  try {
    const { status, headers, body } = await deps.egress.request({
      url: `${provider.baseUrl}/chat/completions`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(provider.apiKey && { authorization: `Bearer ${provider.apiKey}` }),
      },
      body: attempt.bound.text,
      timeoutMs: deps.gateway.attemptTimeoutMs,
      signal: attempt.signal,
      maxRedirects: 0,
    });
    if (status !== 200) await held.giveBack("The provider did not answer.");
    return { status, headers, body, payment: status === 200 ? held : free() };
  } catch (error) {
    try {
      if (attempt.signal?.aborted) await leaveOff(attempt, held);
    } finally {
      await held.giveBack("The provider did not answer.");
    }
    throw error;
  }
}

async function hold(deps: GatewayDeps, account: AccountViewer, attempt: Attempt): Promise<CallPayment> {
  const { bound, call, offer } = attempt;
  if (bound.highestMicroUsd === 0n) return free();
  const { network, transactionId, most, least } = await reserveHighest(deps, account, attempt);
  // While the provider is at work: a crash gives back what is only reserved, and nothing is charged before this is on record.
  const linked = call.link(transactionId, most);
  linked.catch(() => {});
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  // Whatever becomes of the request: a call that is older is not under way.
  const oldestMs = performance.now() + deps.gateway.attemptTimeoutMs + LONGEST_ANSWER_MS + HEARTBEAT_MS;
  const heart = setInterval(() => {
    if (performance.now() > oldestMs) return clearInterval(heart);
    deps.db.query(HEARTBEAT, [transactionId]).catch((error) => {
      deps.logger.warn({ err: error, transactionId }, "reservation not held on to");
    });
  }, HEARTBEAT_MS);
  let ended: Promise<bigint> | null = null;
  const end = (cost: bigint, reason: string): Promise<bigint> => {
    ended ??= (async () => {
      clearInterval(heart);
      if (cost > 0n) await linked;
      if (cost === 0n) await release(deps.db, transactionId, reason, ["reserved"]);
      else if (network) await chargeWallet(deps, account, network, transactionId, cost);
      else {
        const charged = { id: transactionId, txHash: null, chargedAtomic: cost, chargedMicroUsd: cost };
        if (!(await deps.recorder.settled(charged)))
          deps.logger.error({ transactionId }, "a call outlived its reservation and is not charged");
      }
      publishTransaction(deps.pubsub, account.accountId, transactionId);
      return cost;
    })();
    return ended;
  };
  return {
    transactionId,
    reservedMicroUsd: most,
    knownMicroUsd: null,
    settle: (used) => {
      const cost = atLeast(costMicroUsd(offer.model.prices, used), least);
      return end(atMost(cost, most), "The call cost nothing.");
    },
    giveBack: async (reason) => void (await end(0n, reason)),
  };
}

interface Held {
  readonly transactionId: string;
  /** Where the wallet pays; null when credit does. */
  readonly network: EvmNetwork | null;
  /** What is reserved, and the least that is charged unless the call costs nothing, in micro-USD. */
  readonly most: bigint;
  readonly least: bigint;
}

/**
 * Credit pays while it covers the highest cost, otherwise the wallet does on the first network where it can. Of a wallet each
 * call is a transaction whose fee the treasury bears: it costs no less than that is worth.
 */
async function reserveHighest(
  deps: GatewayDeps,
  account: AccountViewer,
  { bound, offer, idempotencyKey }: Attempt,
): Promise<Held> {
  const [treasury, own] = await Promise.all([deps.wallets.treasury(), deps.wallets.ofAccount(account.accountId)]);
  const url = `${offer.provider.baseUrl}/chat/completions`;
  assertMayPay(account, url, treasury.evmAddress);
  const networks = networksOf(deps, account);
  const highest = bound.highestMicroUsd;
  const least = deps.gateway.walletMinimumMicroUsd;
  const termsOn = (network: Network, most: bigint): Omit<Reservation, "source"> => ({
    accountId: account.accountId,
    type: "gateway",
    network: network.name,
    asset: network.usdc.address,
    amountAtomic: most,
    amountMicroUsd: most,
    budgetIds: account.budgetIds,
    scheme: null,
    resource: url,
    payTo: treasury.evmAddress,
    description: offer.model.id,
    // What is signed, if the wallet pays, is known once the cost is.
    authorization: {},
    nonce: null,
    permitSlot: null,
    purchaseTokenId: null,
    validBefore: null,
    idempotencyKey: idempotencyKey === null ? null : paymentKey(idempotencyKey, offer.provider.name),
  });
  let refusal: unknown = new ForbiddenError(
    "This token may pay on none of the networks that pay for this model. No money moved.",
  );
  try {
    const [first] = networks;
    if (first && account.creditMicroUsd >= highest) {
      try {
        const source = { kind: "credit" as const, walletId: treasury.id };
        const transactionId = await reserve(deps.db, { ...termsOn(first, highest), source });
        return { transactionId, network: null, most: highest, least: 0n };
      } catch (error) {
        if (!(error instanceof InsufficientBalanceError)) throw error;
      }
    }
    for (const network of networks) {
      try {
        const wallet = { id: own.id, address: addressOn(network, own) };
        const most = atLeast(highest, least);
        const transactionId = await reserveFromWallet(deps, wallet, termsOn(network, most));
        return { transactionId, network, most, least };
      } catch (error) {
        if (!(error instanceof InsufficientBalanceError)) throw error;
        if (refusal instanceof ForbiddenError) refusal = error;
      }
    }
  } catch (error) {
    if (error instanceof DuplicateReservationError) throw new IdempotencyKeyReusedError(MADE);
    if (error instanceof X402TurnedOffError) throw new X402NotEnabledError(deps.settings.dashboardUrl);
    throw error;
  }
  throw refusal;
}

const MADE = "The call under this Idempotency-Key has been made, and its answer is not kept. Use a new key.";

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
