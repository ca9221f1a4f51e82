/** Calls of a provider with the operator's API key: the maximum cost is reserved before the call, the actual cost settled after it. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import type { Statement } from "../platform/database/connection.ts";
import { release } from "../wallet/ledger.ts";
import { type Attempt, getBodyIdleMs, getStartTimeoutMs } from "./attempt.ts";
import { chargeWallet } from "./charge-wallet.ts";
import type { GatewayDeps } from "./deps.ts";
import { createFreePayment, type ProviderResponse } from "./pay-by-x402.ts";
import type { CallPayment } from "./payment.ts";
import { settleAbortedCall } from "./payment.ts";
import { applyMinimum, determineCostMicroUsd, limitToReservation } from "./price.ts";
import { type CallReservation, reserveMaxCost } from "./reserve-max-cost.ts";

const HEARTBEAT_MS = 20_000;

// The ledger releases a reserved, unsigned row after one minute, so a call in flight extends its reservation. A crash stops
// the heartbeat, and the operator bears the provider's charge.
const HEARTBEAT: Statement = {
  name: "gateway-heartbeat",
  text: "UPDATE transactions SET next_check_at = now() + interval '60 seconds' WHERE id = $1 AND status = 'reserved'",
};

/** Calls the provider. @throws {ServiceError} if the reservation fails or the provider is unreachable. Nothing is charged then. */
export async function callWithKey(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<ProviderResponse> {
  const { provider } = attempt.offer;
  const payment = await reservePayment(deps, account, attempt);
  if (attempt.signal?.aborted) {
    await payment.release("The caller disconnected before the provider was called.");
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
      timeoutMs: getStartTimeoutMs(deps.gateway, attempt.request),
      bodyIdleMs: getBodyIdleMs(deps.gateway, attempt.request),
      signal: attempt.signal,
      maxRedirects: 0,
    });
    if (status !== 200) await payment.release("The provider responded with an error.");
    return { status, headers, body, payment: status === 200 ? payment : createFreePayment() };
  } catch (error) {
    try {
      if (attempt.signal?.aborted) await settleAbortedCall(attempt, payment);
    } finally {
      await payment.release("The provider did not respond.");
    }
    throw error;
  }
}

async function reservePayment(deps: GatewayDeps, account: AccountViewer, attempt: Attempt): Promise<CallPayment> {
  const { bound, call, offer } = attempt;
  if (bound.maxCostMicroUsd === 0n) return createFreePayment();
  const reservation = await reserveMaxCost(deps, account, attempt);
  const { transactionId, maxMicroUsd, minMicroUsd } = reservation;
  // Runs in parallel with the provider's call. A crash releases the reservation, and no charge precedes the committed link.
  const linked = call.link(transactionId, maxMicroUsd);
  linked.catch(() => {});
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  const stopHeartbeat = startHeartbeat(deps, transactionId);
  let ended: Promise<bigint> | null = null;
  const end = async (cost: bigint, reason: string): Promise<bigint> => {
    stopHeartbeat();
    if (cost === 0n) await release(deps.db, transactionId, reason, ["reserved"]);
    else {
      await linked;
      await charge(deps, account, reservation, cost);
    }
    publishTransaction(deps.pubsub, account.accountId, transactionId);
    return cost;
  };
  return {
    transactionId,
    reservedMicroUsd: maxMicroUsd,
    knownMicroUsd: null,
    settle(used) {
      const cost = limitToReservation(
        applyMinimum(determineCostMicroUsd(offer.model.prices, used, bound.tier), minMicroUsd),
        maxMicroUsd,
      );
      ended ??= end(cost, "The call cost nothing.");
      return ended;
    },
    async release(reason) {
      ended ??= end(0n, reason);
      return (await ended) === 0n ? null : transactionId;
    },
  };
}

/** Extends the reservation until the returned function is called, or the maximum duration of a call has passed. */
function startHeartbeat({ db, gateway, logger }: GatewayDeps, transactionId: string): () => void {
  const deadlineMs =
    performance.now() +
    Math.max(gateway.timeouts.completionMs, gateway.timeouts.streamStartMs) +
    gateway.timeouts.totalMs +
    HEARTBEAT_MS;
  const timer = setInterval(() => {
    if (performance.now() > deadlineMs) return clearInterval(timer);
    db.query(HEARTBEAT, [transactionId]).catch((error) => {
      logger.warn({ err: error, transactionId }, "Reservation heartbeat failed");
    });
  }, HEARTBEAT_MS);
  return () => clearInterval(timer);
}

/** Charges the actual cost: by a transfer from the wallet, or for credit only in the ledger. */
async function charge(
  deps: GatewayDeps,
  account: AccountViewer,
  { network, transactionId }: CallReservation,
  cost: bigint,
): Promise<void> {
  if (network) return await chargeWallet(deps, account, network, transactionId, cost);
  const charged = { id: transactionId, txHash: null, chargedAtomic: cost, chargedMicroUsd: cost };
  if (!(await deps.recorder.recordSettlement(charged))) {
    deps.logger.error({ transactionId }, "Reservation expired before the end of the call; the call is not charged");
  }
}
