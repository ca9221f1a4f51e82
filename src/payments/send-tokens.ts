/** Withdrawal of USDC from the wallet to an address (mutation `sendTokens`). */
import type { Transaction } from "../../generated/prisma/client.ts";
import { requireRecentProof } from "../accounts/recent-proof.ts";
import { type AccountViewer, isPayeeAllowed, requireManager, type Viewer } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { type ClaimFence, IdempotencyKeyReusedError, runIdempotent } from "../platform/idempotency/claim.ts";
import { parseDecimal } from "../platform/money.ts";
import { addressOn, type Network, USDC_DECIMALS } from "../wallet/networks.ts";
import { DuplicateReservationError } from "../wallet/reservation.ts";
import { servedNetwork } from "../wallet/served-network.ts";
import { recordingRefusal } from "./declined-payments.ts";
import type { PaymentDeps } from "./deps.ts";
import { relayDeduped } from "./relay-deduped.ts";
import { reserveFromWallet } from "./reserve-from-wallet.ts";
import { signAndRecord } from "./signed-payment.ts";
import { publishTransaction } from "./transaction-events.ts";
import { createTransferRequirement } from "./transfer-requirement.ts";
import { canonicalAddress } from "./x402/addresses.ts";
import { authorizationExpiry } from "./x402/authorization.ts";
import { buildAuthorization } from "./x402/build-authorization.ts";

/** Limit per account, shared by transfers and trades (spec section 8). */
export const SENDS_PER_MINUTE = 30;

export interface SendTokensInput {
  readonly network: string;
  readonly to: string;
  /** Amount in USDC as a decimal string, such as "12.50". */
  readonly amount: string;
  readonly idempotencyKey: string | null;
}

/** Long enough for a busy chain, short enough that the reservation of a refused transfer is soon released. */
const VALIDITY_SECONDS = 300;
const MAX_TRANSFER_ATOMIC = 10n ** 15n;

/**
 * Reserves, signs and broadcasts a transfer. The ledger row settles once the transfer is on chain, and is released if the network
 * does not accept it in time. The transfer counts against every limit and is never paid from credit. A browser session must have
 * authenticated recently.
 * @throws {ReauthenticationRequiredError | InvalidRequestError | UnsupportedNetworkError | ForbiddenError | RateLimitedError |
 *   SpendingLimitExceededError | InsufficientBalanceError | IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function sendTokens(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: SendTokensInput,
): Promise<Transaction> {
  const account = requireManager(viewer);
  // An unattended browser session must not be enough to withdraw funds.
  if (account.credentialKind === "session") requireRecentProof(viewer);
  await deps.rateLimiter.consume("send", account.accountId, SENDS_PER_MINUTE);
  const { idempotencyKey: key, ...request } = input;
  const declined = { type: "transfer" as const, resource: null };
  const transfer = await recordingRefusal(deps, account, declined, async () => checkTransfer(deps, account, input));
  const sendOnce = (claim: ClaimFence | null) =>
    recordingRefusal(deps, account, declined, () => send(deps, account, transfer, key, claim));
  const { transactionId } =
    key === null
      ? await sendOnce(null)
      : await runIdempotent(deps.db, account.accountId, key, ["sendTokens", account.budgetId, request], sendOnce);
  return await deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: transactionId } });
}

interface Transfer {
  readonly network: Network;
  readonly to: string;
  readonly amountAtomic: bigint;
}

function checkTransfer(deps: PaymentDeps, account: AccountViewer, input: SendTokensInput): Transfer {
  const network = servedNetwork(deps.chains, input.network);
  if (!account.rules.networks.includes(network.name)) {
    throw new ForbiddenError(`This token may not pay on ${network.name}. No payment was made.`);
  }
  const to = canonicalAddress(input.to);
  if (!to || to.startsWith("0x") !== (network.kind === "evm")) {
    throw new InvalidRequestError(`to must be an address on ${network.name}.`, "to");
  }
  if (hasInvalidChecksum(input.to, to)) {
    throw new InvalidRequestError("to has an invalid checksum (EIP-55). Check the address for typing errors.", "to");
  }
  if (to === network.usdc.address) {
    throw new InvalidRequestError("to is the USDC contract itself: tokens sent there cannot be recovered.", "to");
  }
  if (!isPayeeAllowed(account.rules, to)) {
    throw new ForbiddenError("This token may not pay that address. No payment was made.");
  }
  const amountAtomic = parseDecimal(input.amount, USDC_DECIMALS, "amount");
  if (amountAtomic <= 0n || amountAtomic > MAX_TRANSFER_ATOMIC) {
    throw new InvalidRequestError("amount must be more than 0 and at most 1,000,000,000.", "amount");
  }
  return { network, to, amountAtomic };
}

/** EIP-55 encodes a checksum in mixed case. An address in one case has none. */
function hasInvalidChecksum(given: string, canonical: string): boolean {
  const digits = given.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return canonical.startsWith("0x") && hasChecksum && given !== canonical;
}

async function send(
  deps: PaymentDeps,
  account: AccountViewer,
  { network, to, amountAtomic }: Transfer,
  idempotencyKey: string | null,
  claim: ClaimFence | null,
): Promise<{ transactionId: string }> {
  const transfer = { network, to, amountAtomic };
  const existing = await findExistingTransfer(deps, account, transfer, idempotencyKey);
  if (existing) return existing;
  await assertCanReceive(deps, transfer);
  const [own, treasury] = await Promise.all([deps.wallets.ofAccount(account.accountId), deps.wallets.treasury()]);
  const terms = { payTo: to, amountAtomic, validitySeconds: VALIDITY_SECONDS };
  const requirement = createTransferRequirement(network, treasury, terms);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, requirement, own);
  const { authorization } = stored;
  let transactionId: string;
  try {
    const wallet = { id: own.id, address: addressOn(network, own) };
    transactionId = await reserveFromWallet(deps, wallet, {
      accountId: account.accountId,
      type: "transfer",
      network: network.name,
      asset: network.usdc.address,
      amountAtomic,
      amountMicroUsd: amountAtomic,
      budgetIds: account.budgetIds,
      scheme: null,
      resource: null,
      payTo: to,
      description: "Withdrawal",
      authorization: stored,
      nonce: "nonce" in authorization ? authorization.nonce : null,
      permitSlot: null,
      purchaseTokenId: null,
      validBefore: authorizationExpiry(authorization),
      idempotencyKey,
      claim,
    });
  } catch (error) {
    const duplicateKey = error instanceof DuplicateReservationError ? idempotencyKey : null;
    const concurrent = await findExistingTransfer(deps, account, transfer, duplicateKey);
    if (!concurrent) throw error;
    return concurrent;
  }
  const signature = await signAndRecord(deps, transactionId, stored, own);
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  // The signed transfer is retried by the reconciliation job until it expires. An error here would invite a second request.
  await relayDeduped(deps, { id: transactionId, stored, signature, claimedTxHash: null });
  return { transactionId };
}

/**
 * Finds the transfer that a process started under this key before it died. The reconciliation job completes it.
 * @throws {IdempotencyKeyReusedError} when the key belongs to a different transfer.
 */
async function findExistingTransfer(
  { db }: PaymentDeps,
  { accountId }: AccountViewer,
  { network, to, amountAtomic }: Transfer,
  idempotencyKey: string | null,
): Promise<{ transactionId: string } | null> {
  if (idempotencyKey === null) return null;
  const where = { accountId_idempotencyKey: { accountId, idempotencyKey } };
  const existing = await db.prisma.transaction.findUnique({ where });
  if (!existing) return null;
  const isSame = existing.type === "transfer" && existing.network === network.name && existing.payTo === to;
  if (!isSame || existing.amountAtomic.toFixed(0) !== String(amountAtomic)) throw new IdempotencyKeyReusedError();
  return { transactionId: existing.id };
}

/**
 * Rejects Solana recipients without a token account. The treasury does not pay the rent of a new account: the recipient could
 * close it at once, receive the rent, and withdraw again.
 */
async function assertCanReceive({ chains }: PaymentDeps, { network, to }: Transfer): Promise<void> {
  if (network.kind !== "solana") return;
  if (await chains.solana(network.name).hasTokenAccount(network.usdc.address, to)) return;
  throw new InvalidRequestError(
    `to has no USDC token account on ${network.name}. No payment was made. The recipient creates one by adding USDC in their wallet or by receiving USDC from another sender.`,
    "to",
  );
}
