/** Withdrawing USDC from the wallet to an address (mutation `sendTokens`). */
import type { Transaction } from "../../generated/prisma/client.ts";
import { requireRecentProof } from "../accounts/recent-proof.ts";
import { type AccountViewer, mayPay, requireManager, type Viewer } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { IdempotencyKeyReusedError, runIdempotent } from "../platform/idempotency/claim.ts";
import { parseDecimal } from "../platform/money.ts";
import { addressOn, type Network, USDC_DECIMALS } from "../wallet/networks.ts";
import { DuplicateReservationError } from "../wallet/reservation.ts";
import { servedNetwork } from "../wallet/served-network.ts";
import type { PaymentDeps } from "./deps.ts";
import { relayDeduped } from "./relay-deduped.ts";
import { reserveFromWallet } from "./reserve-from-wallet.ts";
import { signAndRecord } from "./signed-payment.ts";
import { publishTransaction } from "./transaction-events.ts";
import { transferRequirement } from "./transfer-requirement.ts";
import { canonicalAddress } from "./x402/addresses.ts";
import { authorizationExpiry } from "./x402/authorization.ts";
import { buildAuthorization } from "./x402/build-authorization.ts";

/** Transfers and trades of an account together (spec section 8). */
export const SENDS_PER_MINUTE = 30;

export interface SendTokensInput {
  readonly network: string;
  readonly to: string;
  /** USDC as a decimal, such as "12.50". */
  readonly amount: string;
  readonly idempotencyKey: string | null;
}

/** Long enough for a busy chain, short enough that a refused transfer soon frees what it reserved. */
const VALIDITY_SECONDS = 300;
const MAX_TRANSFER_ATOMIC = 10n ** 15n;

/**
 * Reserves, signs and broadcasts a transfer; the ledger row settles once the chain has it, or is released when the network
 * would not take it in time. It counts against every limit,
 * and credit never pays it. A person at a browser must have proved lately who they are.
 * @throws {ReauthenticationRequiredError | InvalidRequestError | UnsupportedNetworkError | ForbiddenError | RateLimitedError | SpendingLimitExceededError |
 *   InsufficientBalanceError | IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function sendTokens(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: SendTokensInput,
): Promise<Transaction> {
  const account = requireManager(viewer);
  // Whoever finds a browser left open does not leave with the wallet.
  if (account.credentialKind === "session") requireRecentProof(viewer);
  await deps.rateLimiter.consume("send", account.accountId, SENDS_PER_MINUTE);
  const transfer = checkTransfer(deps, account, input);
  const { idempotencyKey: key, ...request } = input;
  const { transactionId } =
    key === null
      ? await send(deps, account, transfer, null)
      : await runIdempotent(deps.db, account.accountId, key, ["sendTokens", account.budgetId, request], () =>
          send(deps, account, transfer, key),
        );
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
    throw new ForbiddenError(`This token may not pay on ${network.name}. No money moved.`);
  }
  const to = canonicalAddress(input.to);
  if (!to || to.startsWith("0x") !== (network.kind === "evm")) {
    throw new InvalidRequestError(`to must be an address on ${network.name}.`, "to");
  }
  if (isMistyped(input.to, to)) throw new InvalidRequestError("to is mistyped: its checksum does not fit.", "to");
  if (to === network.usdc.address) {
    throw new InvalidRequestError("to is the address of USDC itself: nobody gets back what is sent there.", "to");
  }
  if (!mayPay(account.rules, to)) {
    throw new ForbiddenError("This token may not pay that address. No money moved.");
  }
  const amountAtomic = parseDecimal(input.amount, USDC_DECIMALS, "amount");
  if (amountAtomic <= 0n || amountAtomic > MAX_TRANSFER_ATOMIC) {
    throw new InvalidRequestError("amount must be more than 0 and at most 1,000,000,000.", "amount");
  }
  return { network, to, amountAtomic };
}

/** Letters of both cases carry a checksum (EIP-55); of one case, none. */
function isMistyped(given: string, canonical: string): boolean {
  const digits = given.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return canonical.startsWith("0x") && hasChecksum && given !== canonical;
}

async function send(
  deps: PaymentDeps,
  account: AccountViewer,
  { network, to, amountAtomic }: Transfer,
  idempotencyKey: string | null,
): Promise<{ transactionId: string }> {
  const transfer = { network, to, amountAtomic };
  const begun = await begunTransfer(deps, account, transfer, idempotencyKey);
  if (begun) return begun;
  await assertCanReceive(deps, transfer);
  const [own, treasury] = await Promise.all([deps.wallets.ofAccount(account.accountId), deps.wallets.treasury()]);
  const asked = { payTo: to, amountAtomic, validitySeconds: VALIDITY_SECONDS };
  const requirement = transferRequirement(network, treasury, asked);
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
    });
  } catch (error) {
    const other = error instanceof DuplicateReservationError ? idempotencyKey : null;
    const begunMeanwhile = await begunTransfer(deps, account, transfer, other);
    if (!begunMeanwhile) throw error;
    return begunMeanwhile;
  }
  const signature = await signAndRecord(deps, transactionId, stored, own);
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  // It is signed, and the reconciling job sends it until it ends: a failure told here would have it asked for twice.
  await relayDeduped(deps, { id: transactionId, stored, signature, claimedTxHash: null });
  return { transactionId };
}

/**
 * What was begun under this key by a process that died before it answered; the reconciling job brings it to its end.
 * @throws {IdempotencyKeyReusedError} when the key stands for something else.
 */
async function begunTransfer(
  { db }: PaymentDeps,
  { accountId }: AccountViewer,
  { network, to, amountAtomic }: Transfer,
  idempotencyKey: string | null,
): Promise<{ transactionId: string } | null> {
  if (idempotencyKey === null) return null;
  const where = { accountId_idempotencyKey: { accountId, idempotencyKey } };
  const begun = await db.prisma.transaction.findUnique({ where });
  if (!begun) return null;
  const isSame = begun.type === "transfer" && begun.network === network.name && begun.payTo === to;
  if (!isSame || begun.amountAtomic.toFixed(0) !== String(amountAtomic)) throw new IdempotencyKeyReusedError();
  return { transactionId: begun.id };
}

/**
 * On Solana tokens lie in an account of their own, whose rent somebody has paid. The treasury does not: the recipient
 * could close the account at once, keep the rent, and ask for the next withdrawal.
 */
async function assertCanReceive({ chains }: PaymentDeps, { network, to }: Transfer): Promise<void> {
  if (network.kind !== "solana") return;
  if (await chains.solana(network.name).hasTokenAccount(network.usdc.address, to)) return;
  throw new InvalidRequestError(
    `to has no USDC account on ${network.name} yet, so nothing can be sent there. Its owner opens one by adding USDC in their wallet, or by receiving some from elsewhere. No money moved.`,
    "to",
  );
}
