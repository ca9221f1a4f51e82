/** A provider with an API key of ours: the highest cost is reserved before it is asked, and the real cost settled after. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import type { Statement } from "../platform/database/connection.ts";
import { release } from "../wallet/ledger.ts";
import { type Attempt, LONGEST_ANSWER_MS } from "./attempt.ts";
import { chargeWallet } from "./charge-wallet.ts";
import type { GatewayDeps } from "./deps.ts";
import { free, type ProviderResponse } from "./pay-by-x402.ts";
import type { CallPayment } from "./payment.ts";
import { settleAbortedCall } from "./payment.ts";
import { atLeast, atMost, costMicroUsd } from "./price.ts";
import { type CallReservation, reserveMaxCost } from "./reserve-max-cost.ts";

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
      if (attempt.signal?.aborted) await settleAbortedCall(attempt, held);
    } finally {
      await held.giveBack("The provider did not answer.");
    }
    throw error;
  }
}

async function hold(deps: GatewayDeps, account: AccountViewer, attempt: Attempt): Promise<CallPayment> {
  const { bound, call, offer } = attempt;
  if (bound.highestMicroUsd === 0n) return free();
  const held = await reserveMaxCost(deps, account, attempt);
  const { transactionId, most, least } = held;
  // While the provider is at work: a crash gives back what is only reserved, and nothing is charged before this is on record.
  const linked = call.link(transactionId, most);
  linked.catch(() => {});
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  const letGo = holdOnTo(deps, transactionId);
  let ended: Promise<bigint> | null = null;
  const end = async (cost: bigint, reason: string): Promise<bigint> => {
    letGo();
    if (cost === 0n) await release(deps.db, transactionId, reason, ["reserved"]);
    else {
      await linked;
      await charge(deps, account, held, cost);
    }
    publishTransaction(deps.pubsub, account.accountId, transactionId);
    return cost;
  };
  return {
    transactionId,
    reservedMicroUsd: most,
    knownMicroUsd: null,
    settle(used) {
      const cost = atMost(atLeast(costMicroUsd(offer.model.prices, used), least), most);
      ended ??= end(cost, "The call cost nothing.");
      return ended;
    },
    async giveBack(reason) {
      ended ??= end(0n, reason);
      await ended;
    },
  };
}

/** Says that the call lives, until it is let go or has lasted longer than any can. */
function holdOnTo({ db, gateway, logger }: GatewayDeps, transactionId: string): () => void {
  const oldestMs = performance.now() + gateway.attemptTimeoutMs + LONGEST_ANSWER_MS + HEARTBEAT_MS;
  const heart = setInterval(() => {
    if (performance.now() > oldestMs) return clearInterval(heart);
    db.query(HEARTBEAT, [transactionId]).catch((error) => {
      logger.warn({ err: error, transactionId }, "reservation not held on to");
    });
  }, HEARTBEAT_MS);
  return () => clearInterval(heart);
}

/** Takes the real cost of what is held: by a transfer of the wallet's, or of credit in the ledger alone. */
async function charge(
  deps: GatewayDeps,
  account: AccountViewer,
  { network, transactionId }: CallReservation,
  cost: bigint,
): Promise<void> {
  if (network) return await chargeWallet(deps, account, network, transactionId, cost);
  const charged = { id: transactionId, txHash: null, chargedAtomic: cost, chargedMicroUsd: cost };
  if (!(await deps.recorder.settled(charged))) {
    deps.logger.error({ transactionId }, "a call outlived its reservation and is not charged");
  }
}
