/**
 * From a shop's offer to a signed payment: choose, reserve and commit, sign, and record the signature of what did not count as
 * signed when it was reserved. In this order, so that no crash leaves a signature out in the world that the ledger does not know.
 */
import { type AccountViewer, mayPayHost, requirePayer, requireScope, type Viewer } from "../accounts/viewer.ts";
import { ForbiddenError, ServiceError, UnauthorizedError } from "../platform/errors.ts";
import { release, releaseUnsigned } from "../wallet/ledger.ts";
import { addressOn } from "../wallet/networks.ts";
import { InsufficientBalanceError, SpendingLimitExceededError, X402TurnedOffError } from "../wallet/refusal-reason.ts";
import {
  DuplicateReservationError,
  PermitSlotTakenError,
  PurchaseTokenUsedError,
  reserve,
} from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { PaymentDeps } from "./deps.ts";
import { assertWithinMerchant } from "./merchant-url.ts";
import { reserveFromWallet } from "./reserve-from-wallet.ts";
import { resumePayment } from "./resume.ts";
import { partiesOf, type SignedPayment, signAndRecord } from "./signed-payment.ts";
import { publishTransaction } from "./transaction-events.ts";
import {
  authorizationExpiry,
  countsAsSigned,
  type StoredAuthorization,
  usesPermitNonce,
} from "./x402/authorization.ts";
import { buildAuthorization } from "./x402/build-authorization.ts";
import {
  type Choice,
  type ChoicePolicy,
  type ConsideredEntry,
  chooseRequirement,
  NoAcceptableRequirementError,
} from "./x402/choice.ts";
import { encodePayment } from "./x402/payload.ts";
import type { PaymentRequired, Requirement } from "./x402/requirement.ts";
import { signAuthorization } from "./x402/sign.ts";

/** X402 payments are opt-in, and this account has not opted in. */
export class X402NotEnabledError extends ServiceError {
  readonly code = "x402_not_enabled";
  readonly dashboardUrl: string;
  constructor(dashboardUrl: string) {
    super(`X402 payments are off for this account. Turn them on at ${dashboardUrl}. No money moved.`);
    this.dashboardUrl = dashboardUrl;
  }
}

/** A permit of this wallet is waiting for its shop; their nonces are sequential, so a second one would void the first. */
export class PermitOutstandingError extends ServiceError {
  readonly code = "permit_outstanding";
  constructor() {
    super("An earlier upto payment of this wallet has not settled yet, and permits go one at a time. No money moved.");
  }
}

export interface PaymentOrder {
  /** What is paid for, as the caller asked for it. */
  readonly url: string;
  readonly required: PaymentRequired;
  readonly maxValueAtomic: bigint | null;
  readonly idempotencyKey: string | null;
  /** What it is in the ledger; default `x402`. */
  readonly type?: "x402" | "gateway";
}

/**
 * Makes one payment authorization.
 * @throws {X402NotEnabledError | NoAcceptableRequirementError | MaxValueExceededError | SpendingLimitExceededError |
 *   InsufficientBalanceError | PermitOutstandingError | ForbiddenError | PurchaseTokenUsedError | IdempotencyKeyReusedError}
 */
export async function pay(deps: PaymentDeps, viewer: Viewer | null, order: PaymentOrder): Promise<SignedPayment> {
  const account = requirePayer(viewer);
  assertMaySpend(deps, account, order.url);
  const own = await deps.wallets.ofAccount(account.accountId);
  try {
    const reserved = await reserveBestOffer(deps, account, order, own);
    const { chosen, transactionId, stored, signer } = reserved;
    const signature = countsAsSigned(stored.authorization)
      ? await signCommitted(deps, account.accountId, reserved, order.idempotencyKey)
      : await signAndRecord(deps, transactionId, stored, signer);
    publishTransaction(deps.pubsub, account.accountId, transactionId);
    const { scheme, network, amountAtomic, amountMicroUsd } = chosen;
    const encoded = encodePayment(stored, signature);
    const figures = { transactionId, encoded, scheme, network: network.name, amountAtomic, amountMicroUsd };
    return { ...figures, ...partiesOf(network, own, signer) };
  } catch (error) {
    if (order.idempotencyKey !== null && (await isBegun(deps, account, order.idempotencyKey, error))) {
      return await resumePayment(deps, account, { ...order, idempotencyKey: order.idempotencyKey });
    }
    // Turned off since the request came in.
    throw error instanceof X402TurnedOffError ? new X402NotEnabledError(deps.settings.dashboardUrl) : error;
  }
}

/**
 * Signs what the ledger has as signed. Where no key can be had, nothing was signed, and it is given back; with an Idempotency-Key
 * another request may have signed it meanwhile, and the next one goes on with it.
 */
async function signCommitted(
  deps: PaymentDeps,
  accountId: string,
  { transactionId, stored, signer }: Reserved,
  idempotencyKey: string | null,
): Promise<string> {
  try {
    return await signAuthorization(stored.authorization, signer, deps.vault);
  } catch (error) {
    if (idempotencyKey === null) {
      try {
        await releaseUnsigned(deps.db, transactionId, "The payment could not be signed.");
        publishTransaction(deps.pubsub, accountId, transactionId);
      } catch (notReleased) {
        deps.logger.error({ err: notReleased, transactionId }, "a payment that was never signed is held until its end");
      }
    }
    throw error;
  }
}

const BY_ITSELF_IN_THE_WAY = [
  SpendingLimitExceededError,
  InsufficientBalanceError,
  PermitOutstandingError,
  PurchaseTokenUsedError,
];

/** Whether the ledger has the payment under this key already: then it is itself what takes up the limit, the slot or the token. */
async function isBegun(
  deps: PaymentDeps,
  { accountId, credentialKind }: AccountViewer,
  idempotencyKey: string,
  error: unknown,
) {
  if (error instanceof DuplicateReservationError) return true;
  // A purchase token whose five minutes are over begins no payment, and still goes on with the one it began.
  const isOver = error instanceof UnauthorizedError && credentialKind === "purchase_token";
  if (!isOver && !BY_ITSELF_IN_THE_WAY.some((kind) => error instanceof kind)) return false;
  return (await deps.db.prisma.transaction.count({ where: { accountId, idempotencyKey } })) > 0;
}

/** Which offer would be taken, and why the others not, for this viewer. */
export function choose(
  deps: PaymentDeps,
  account: AccountViewer,
  order: Pick<PaymentOrder, "required" | "maxValueAtomic">,
  unusable: readonly ConsideredEntry[] = [],
): Choice {
  const policy: ChoicePolicy = {
    networks: deps.chains.networks,
    allowedNetworks: account.rules.networks,
    maxValueAtomic: order.maxValueAtomic,
    allowedPayees: account.rules.allowedPayees,
    uptoSpenders: deps.settings.uptoSpenders,
    unusable,
  };
  return chooseRequirement(order.required, policy);
}

function assertMaySpend(deps: PaymentDeps, account: AccountViewer, url: string): void {
  requireScope(account, "payments:sign");
  if (!account.x402Enabled) throw new X402NotEnabledError(deps.settings.dashboardUrl);
  if (!mayPayHost(account.rules, url)) {
    const host = URL.canParse(url) ? new URL(url).hostname : "";
    throw new ForbiddenError(`This token may not pay ${host || "that address"}. No money moved.`);
  }
  assertWithinMerchant(account.rules, url);
}

/** Takes the best offer; when only the chain shows that it cannot be used, the next best one. */
async function reserveBestOffer(
  deps: PaymentDeps,
  account: AccountViewer,
  order: PaymentOrder,
  own: SealedWallet,
): Promise<Reserved> {
  const unusable: ConsideredEntry[] = [];
  for (;;) {
    const { chosen } = choose(deps, account, order, unusable);
    try {
      return await reserveFromFirstSource(deps, account, order, chosen, own);
    } catch (error) {
      if (!(error instanceof NoAcceptableRequirementError)) throw error;
      unusable.push(...error.considered);
    }
  }
}

interface Reserved {
  readonly chosen: Requirement;
  readonly transactionId: string;
  readonly stored: StoredAuthorization;
  readonly signer: SealedWallet;
}

const WALLET_MAY_STILL_PAY = [InsufficientBalanceError, PermitSlotTakenError, NoAcceptableRequirementError];

/** Credit pays while it covers the whole amount, otherwise the wallet does; never both (decisions, "X402"). */
async function reserveFromFirstSource(
  deps: PaymentDeps,
  account: AccountViewer,
  order: PaymentOrder,
  chosen: Requirement,
  own: SealedWallet,
): Promise<Reserved> {
  if (account.creditMicroUsd >= chosen.amountMicroUsd) {
    try {
      return await reserveFrom(deps, account, order, chosen, await deps.wallets.treasury(), true);
    } catch (error) {
      // Credit used up meanwhile, a permit, which the treasury does not sign, an offer the treasury cannot take: the wallet may.
      if (!WALLET_MAY_STILL_PAY.some((kind) => error instanceof kind)) throw error;
    }
  }
  try {
    return await reserveFrom(deps, account, order, chosen, own, false);
  } catch (error) {
    if (error instanceof PermitSlotTakenError) throw new PermitOutstandingError();
    throw error;
  }
}

async function reserveFrom(
  deps: PaymentDeps,
  account: AccountViewer,
  order: PaymentOrder,
  chosen: Requirement,
  signer: SealedWallet,
  fromCredit: boolean,
): Promise<Reserved> {
  const { asset, network, scheme, amountAtomic, amountMicroUsd, payTo, description } = chosen;
  const address = addressOn(network, signer);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, chosen, signer);
  const { authorization } = stored;
  const takesPermitNonce = usesPermitNonce(authorization);
  // One permit that its shop never redeems would keep every account from spending credit: the treasury signs none.
  if (fromCredit && takesPermitNonce) throw new PermitSlotTakenError();
  const terms: Omit<Reservation, "source"> = {
    accountId: account.accountId,
    type: order.type ?? "x402",
    network: network.name,
    asset,
    amountAtomic,
    amountMicroUsd,
    budgetIds: account.budgetIds,
    scheme,
    resource: order.url,
    payTo,
    description,
    authorization: stored,
    nonce: "nonce" in authorization ? authorization.nonce : null,
    permitSlot: takesPermitNonce ? `${network.name}:${asset}:${address}` : null,
    purchaseTokenId: account.credentialKind === "purchase_token" ? account.credentialId : null,
    countsAsSigned: countsAsSigned(authorization),
    validBefore: authorizationExpiry(authorization),
    idempotencyKey: order.idempotencyKey,
  };
  const transactionId = fromCredit
    ? await reserve(deps.db, { ...terms, source: { kind: "credit", walletId: signer.id } })
    : await reserveFromWallet(deps, { id: signer.id, address }, terms);
  if (terms.permitSlot !== null && (await isPermitStale(deps, stored))) {
    await release(deps.db, transactionId, "Another permit was used first.", ["reserved"]);
    throw new PermitSlotTakenError();
  }
  return { chosen, transactionId, stored, signer };
}

/** Whether an earlier permit was used between reading the nonce and taking the slot: this one could never be. */
async function isPermitStale(deps: PaymentDeps, { network, authorization }: StoredAuthorization): Promise<boolean> {
  const permit = authorization.kind === "permit2" ? authorization.allowancePermit : authorization;
  if (permit?.kind !== "permit") return false;
  return (await deps.chains.evm(network).permitNonce(permit.asset, permit.owner)) !== BigInt(permit.nonce);
}
