/**
 * Payment authorization for a seller's offers, in four steps: choose an offer, commit the reservation, sign, record the signature.
 * Authorizations that count as signed when reserved skip the last step. In this order no crash can leave a released signature
 * that the ledger does not contain.
 */
import {
  type AccountViewer,
  isHostAllowed,
  isPayeeAllowed,
  requirePayer,
  requireScope,
  type Viewer,
} from "../accounts/viewer.ts";
import { ForbiddenError, UnauthorizedError } from "../platform/errors.ts";
import type { ClaimFence } from "../platform/idempotency/claim.ts";
import { type Attempt, endAttempt } from "../wallet/attempts.ts";
import { release, releaseUnsigned } from "../wallet/ledger.ts";
import { addressOn } from "../wallet/networks.ts";
import {
  InsufficientBalanceError,
  ResumablePaymentError,
  SpendingLimitExceededError,
  X402TurnedOffError,
} from "../wallet/refusal-reason.ts";
import {
  DuplicateReservationError,
  PermitSlotInUseError,
  PurchaseTokenUsedError,
  reserve,
} from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import { recordingRefusal } from "./declined-payments.ts";
import type { PaymentDeps } from "./deps.ts";
import { assertWithinMerchant } from "./merchant-url.ts";
import { identifyPayment } from "./payment-identifier.ts";
import { PermitOutstandingError, X402NotEnabledError } from "./refusals.ts";
import { reserveFromWallet } from "./reserve-from-wallet.ts";
import { resumePayment, resumeRequest } from "./resume-payment.ts";
import { partiesOf, type SignedPayment, signAndRecord } from "./signed-payment.ts";
import { publishTransaction } from "./transaction-events.ts";
import {
  authorizationExpiry,
  countsAsSigned,
  permitSlotOf,
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

export interface PaymentOrder {
  /** The URL paid for, as the caller requested it. */
  readonly url: string;
  readonly required: PaymentRequired;
  readonly maxValueAtomic: bigint | null;
  readonly idempotencyKey: string | null;
  /** See `Reservation.claim`. */
  readonly claim?: ClaimFence | null;
  /** Hash of the proxied request (`Transaction.requestSha256`). Default null: equal requests are separate payments. */
  readonly requestSha256?: Uint8Array | null;
  /** Whether Satchel itself sends the payment to `url`. Default false. */
  readonly isProxied?: boolean;
  /** Transaction type in the ledger; default `x402`. */
  readonly type?: "x402" | "gateway";
}

/** Attempts to reserve or continue, while concurrent equal requests change which of the two is possible. */
const MAX_ATTEMPTS = 5;

/**
 * Creates one payment authorization. Returns the earlier one of the same purchase, if there is one: under the same
 * Idempotency-Key, or for an equal request without a definitive response.
 * @throws {X402NotEnabledError | NoAcceptableRequirementError | MaxValueExceededError | SpendingLimitExceededError |
 *   InsufficientBalanceError | PermitOutstandingError | ForbiddenError | PurchaseTokenUsedError | IdempotencyKeyReusedError |
 *   IdempotencyInFlightError} the last one if another request has acquired the key
 */
export async function pay(deps: PaymentDeps, viewer: Viewer | null, order: PaymentOrder): Promise<SignedPayment> {
  const account = requirePayer(viewer);
  const declined = { type: order.type ?? "x402", resource: order.url };
  return await recordingRefusal(deps, account, declined, () => createOrResume(deps, account, order));
}

async function createOrResume(deps: PaymentDeps, account: AccountViewer, order: PaymentOrder): Promise<SignedPayment> {
  assertMaySpend(deps, account, order.url);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createPayment(deps, account, order);
    } catch (error) {
      if (!(error instanceof ResumablePaymentError)) throw error;
      const resumed = await resumeRequest(deps, error.transactionId, order.maxValueAtomic);
      if (resumed) return resumed;
      // A concurrent request continues that payment, so this one is another purchase.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function createPayment(deps: PaymentDeps, account: AccountViewer, order: PaymentOrder): Promise<SignedPayment> {
  const own = await deps.wallets.ofAccount(account.accountId);
  try {
    const reserved = await reserveBestOffer(deps, account, order, own);
    const { chosen, transactionId, stored, signer } = reserved;
    const attempt = order.requestSha256 ? { id: transactionId, number: 1 } : null;
    const signature = countsAsSigned(stored.authorization)
      ? await signCommitted(deps, account.accountId, reserved, order.idempotencyKey, attempt)
      : await signAndRecord(deps, transactionId, stored, signer);
    publishTransaction(deps.pubsub, account.accountId, transactionId);
    const { scheme, network, amountAtomic, amountMicroUsd } = chosen;
    const encoded = encodePayment(stored, signature);
    const expiresAt = authorizationExpiry(stored.authorization);
    const figures = {
      transactionId,
      attempt,
      encoded,
      expiresAt,
      scheme,
      network: network.name,
      amountAtomic,
      amountMicroUsd,
    };
    return { ...figures, ...partiesOf(network, own, signer) };
  } catch (error) {
    if (order.idempotencyKey !== null && (await hasExistingPayment(deps, account, order.idempotencyKey, error))) {
      return await resumePayment(deps, account, { ...order, idempotencyKey: order.idempotencyKey });
    }
    // Disabled while the request was in flight.
    throw error instanceof X402TurnedOffError ? new X402NotEnabledError(deps.settings.dashboardUrl) : error;
  }
}

/**
 * Signs an authorization that the ledger already records as signed. If the vault cannot sign, the reservation is released. With
 * an Idempotency-Key it is not, because a concurrent request may have signed it; the next request resumes the payment. The same
 * holds after the takeover of the attempt by an equal request.
 */
async function signCommitted(
  deps: PaymentDeps,
  accountId: string,
  { transactionId, stored, signer }: Reserved,
  idempotencyKey: string | null,
  attempt: Attempt | null,
): Promise<string> {
  try {
    return await signAuthorization(stored.authorization, signer, deps.vault);
  } catch (error) {
    if (idempotencyKey === null) {
      await releaseUnsent(deps, accountId, transactionId, attempt).catch((notReleased: unknown) =>
        deps.logger.error(
          { err: notReleased, transactionId },
          "Unsigned payment not released; reserved until it expires",
        ),
      );
    }
    throw error;
  }
}

/** Releases a payment that this request did not sign, unless another request continues it. */
async function releaseUnsent(
  deps: PaymentDeps,
  accountId: string,
  transactionId: string,
  attempt: Attempt | null,
): Promise<void> {
  // Ended first: from then on no request can take over the attempt and sign.
  if (attempt !== null && !(await endAttempt(deps.db, attempt, true))) return;
  await releaseUnsigned(deps.db, transactionId, "The payment could not be signed.");
  publishTransaction(deps.pubsub, accountId, transactionId);
}

/** Errors that an existing payment under the same Idempotency-Key can cause by consuming the limit, balance, slot or token. */
const SELF_CAUSED_REFUSALS = [
  SpendingLimitExceededError,
  InsufficientBalanceError,
  PermitOutstandingError,
  PurchaseTokenUsedError,
];

/** Returns whether `error` comes from a payment that the ledger already has under this key. */
async function hasExistingPayment(
  deps: PaymentDeps,
  { accountId, credentialKind }: AccountViewer,
  idempotencyKey: string,
  error: unknown,
) {
  if (error instanceof DuplicateReservationError) return true;
  // An expired purchase token cannot start a payment but may resume the one it started.
  const isExpired = error instanceof UnauthorizedError && credentialKind === "purchase_token";
  if (!isExpired && !SELF_CAUSED_REFUSALS.some((kind) => error instanceof kind)) return false;
  return (await deps.db.prisma.transaction.count({ where: { accountId, idempotencyKey } })) > 0;
}

/**
 * Chooses the offer to pay under the viewer's rules, with the reason each other offer was rejected. A degraded network is
 * chosen only if no other offer is acceptable.
 *
 * @throws {NoAcceptableRequirementError | MaxValueExceededError} as `chooseRequirement`
 */
export function chooseOffer(
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
    facilitatorSigners: deps.facilitatorSigners.current(),
    unusable,
  };
  const healthy = policy.networks.filter((network) => !deps.chains.isDegraded(network));
  if (healthy.length === policy.networks.length) return chooseRequirement(order.required, policy);
  try {
    return chooseRequirement(order.required, { ...policy, networks: healthy });
  } catch (error) {
    if (!(error instanceof NoAcceptableRequirementError)) throw error;
    return chooseRequirement(order.required, policy);
  }
}

function assertMaySpend(deps: PaymentDeps, account: AccountViewer, url: string): void {
  requireScope(account, "payments:sign");
  if (!account.x402Enabled) throw new X402NotEnabledError(deps.settings.dashboardUrl);
  if (!isHostAllowed(account.rules, url)) {
    const host = URL.canParse(url) ? new URL(url).hostname : "";
    throw new ForbiddenError(`This token may not pay ${host || "that address"}. No payment was made.`);
  }
  assertWithinMerchant(account.rules, url);
}

/** Reserves the best offer, or the fallback if reading the chain shows that the best one cannot be used. */
async function reserveBestOffer(
  deps: PaymentDeps,
  account: AccountViewer,
  order: PaymentOrder,
  own: SealedWallet,
): Promise<Reserved> {
  const unusable: ConsideredEntry[] = [];
  for (;;) {
    const { chosen } = chooseOffer(deps, account, order, unusable);
    const identified = await identifyPayment(deps.vault, own, chosen, order);
    // Credit is spent without a call to the chain, so a degraded network must be refused here.
    deps.chains.any(chosen.network.name);
    try {
      return await reserveFromFirstSource(deps, account, order, identified, own);
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

/** Errors of paying from credit after which the wallet is tried. */
const WALLET_FALLBACK_ERRORS = [InsufficientBalanceError, PermitSlotInUseError, NoAcceptableRequirementError];

/** Reserves from credit if it covers the whole amount, otherwise from the wallet; never from both (decisions, "X402"). */
async function reserveFromFirstSource(
  deps: PaymentDeps,
  account: AccountViewer,
  order: PaymentOrder,
  chosen: Requirement,
  own: SealedWallet,
): Promise<Reserved> {
  if (account.creditMicroUsd >= chosen.amountMicroUsd && mayPayFromCredit(deps, order, chosen)) {
    try {
      return await reserveFrom(deps, account, order, chosen, await deps.wallets.treasury(), true);
    } catch (error) {
      // Credit was spent concurrently, the method is a permit, or the treasury cannot use the offer. The wallet may still pay.
      if (!WALLET_FALLBACK_ERRORS.some((kind) => error instanceof kind)) throw error;
    }
  }
  try {
    return await reserveFrom(deps, account, order, chosen, own, false);
  } catch (error) {
    if (error instanceof PermitSlotInUseError) throw new PermitOutstandingError();
    throw error;
  }
}

/**
 * Returns whether the operator permits free credit for this seller. A signature that leaves Satchel can be presented to any host, so
 * it needs a permitted recipient where hosts are limited.
 */
function mayPayFromCredit(
  { settings }: PaymentDeps,
  { url, isProxied }: PaymentOrder,
  { payTo }: Requirement,
): boolean {
  const { creditHosts: allowedHosts, creditPayees: allowedPayees } = settings;
  if (!isPayeeAllowed({ allowedPayees }, payTo)) return false;
  return (
    isHostAllowed({ allowedHosts }, url) &&
    (isProxied === true || allowedHosts.length === 0 || allowedPayees.length > 0)
  );
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
  const hasPermitNonce = usesPermitNonce(authorization);
  // The treasury signs no permits: one that its seller never redeems would block credit payments of every account.
  if (fromCredit && hasPermitNonce) throw new PermitSlotInUseError();
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
    permitSlot: hasPermitNonce ? permitSlotOf(network.name, asset, address) : null,
    purchaseTokenId: account.credentialKind === "purchase_token" ? account.credentialId : null,
    countsAsSigned: countsAsSigned(authorization),
    validBefore: authorizationExpiry(authorization),
    idempotencyKey: order.idempotencyKey,
    claim: order.claim ?? null,
    requestSha256: order.requestSha256 ?? null,
  };
  const transactionId = fromCredit
    ? await reserve(deps.db, { ...terms, source: { kind: "credit", walletId: signer.id } })
    : await reserveFromWallet(deps, { id: signer.id, address }, terms);
  if (terms.permitSlot !== null && (await isPermitStale(deps, stored))) {
    await release(deps.db, transactionId, "Another permit was used first.", ["reserved"]);
    throw new PermitSlotInUseError();
  }
  return { chosen, transactionId, stored, signer };
}

/** Returns whether another permit consumed the nonce between reading it and reserving the slot, which makes this permit unusable. */
async function isPermitStale(deps: PaymentDeps, { network, authorization }: StoredAuthorization): Promise<boolean> {
  const permit = authorization.kind === "permit2" ? authorization.allowancePermit : authorization;
  if (permit?.kind !== "permit") return false;
  return (await deps.chains.evm(network).permitNonce(permit.asset, permit.owner)) !== BigInt(permit.nonce);
}
