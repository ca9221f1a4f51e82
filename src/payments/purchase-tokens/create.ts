/**
 * Creation of one-time purchase tokens (spec sections 2.1, 3.1 and 4.1). A token makes one payment to one merchant, expires after
 * five minutes and is shown once.
 */
import type { PurchaseToken } from "../../../generated/prisma/client.ts";
import { hashToken, mintToken } from "../../accounts/secret-token.ts";
import { type AccountViewer, isHostAllowed, requireManager, requireScope, type Viewer } from "../../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../../platform/errors.ts";
import { randomBase62 } from "../../platform/ids.ts";
import { NO_PERIOD } from "../../platform/utc.ts";
import { NETWORK_NAMES } from "../../wallet/networks.ts";
import { UnsupportedNetworkError } from "../../wallet/served-network.ts";
import type { PaymentDeps } from "../deps.ts";
import { readMerchantUrl } from "../merchant-url.ts";

export interface NewPurchaseToken {
  /** An absolute http or https URL. The token pays this URL and the paths below it. */
  readonly merchantUrl: string;
  /** Short name of the network. */
  readonly network: string;
  /** Cap of the payment; the charge may be lower. */
  readonly maxMicroUsd: bigint;
}

const LIFETIME_MS = 5 * 60_000;
const CREATIONS_PER_MINUTE = 30;
const SUFFIX_LENGTH = 12;

export type PurchaseTokenDeps = Pick<PaymentDeps, "db" | "chains" | "rateLimiter">;

/**
 * Creates a token for the viewer's account. The payment counts against the limits of the account and of the creating credential,
 * and against the token's cap. A token never has more rights than the credential that created it.
 *
 * @returns the row and the secret, which is returned only here and never stored.
 * @throws {UnauthorizedError | ForbiddenError | InvalidRequestError | UnsupportedNetworkError | RateLimitedError}
 */
export async function createPurchaseToken(
  deps: PurchaseTokenDeps,
  viewer: Viewer | null,
  input: NewPurchaseToken,
): Promise<{ purchaseToken: PurchaseToken; token: string }> {
  const creator = requireManager(viewer);
  requireScope(creator, "payments:sign");
  const { network, maxMicroUsd } = input;
  const merchantUrl = readMerchantUrl(input.merchantUrl, "merchantUrl");
  if (maxMicroUsd <= 0n) throw new InvalidRequestError("maxAmountUsd must be more than 0.", "maxAmountUsd");
  checkNetwork(deps, creator, network);
  checkHost(creator, merchantUrl);
  await deps.rateLimiter.consume("purchase_token", creator.accountId, CREATIONS_PER_MINUTE);

  const { prisma } = deps.db;
  const token = mintToken("satchel_pt_");
  const now = new Date();
  const id = `pt_${Math.floor(now.getTime() / 1_000)}_${randomBase62(SUFFIX_LENGTH)}`;
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const { accountId } = creator;
  const [purchaseToken] = await prisma.$transaction([
    prisma.purchaseToken.create({
      data: {
        id,
        accountId,
        tokenHash: hashToken(token),
        merchantUrl,
        network,
        maxMicroUsd,
        allowedPayees: [...creator.rules.allowedPayees],
        budgetIds: [...creator.budgetIds, id],
        expiresAt,
        createdAt: now,
      },
    }),
    prisma.budget.create({
      data: {
        id,
        accountId,
        perTransactionLimitMicroUsd: maxMicroUsd,
        ...NO_PERIOD,
        closedAt: expiresAt,
      },
    }),
  ]);
  return { purchaseToken, token };
}

/** The contract's four networks are always accepted, any other only if it is configured. */
const CONTRACT_NETWORKS: readonly string[] = ["base", "base-sepolia", "solana", "solana-devnet"];

function checkNetwork({ chains }: PurchaseTokenDeps, creator: AccountViewer, network: string): void {
  const isConfigured = chains.networks.some((name) => name === network);
  if (!CONTRACT_NETWORKS.includes(network) && !isConfigured) {
    throw NETWORK_NAMES.some((name) => name === network)
      ? new UnsupportedNetworkError(network, chains.networks)
      : new InvalidRequestError(`network must be one of ${CONTRACT_NETWORKS.join(", ")}.`, "network");
  }
  if (!creator.rules.networks.includes(network)) {
    throw new ForbiddenError(`This token may not pay on ${network}, so it cannot grant that. No token was created.`);
  }
}

function checkHost({ rules }: AccountViewer, merchantUrl: string): void {
  const { hostname } = new URL(merchantUrl);
  if (!isHostAllowed(rules, merchantUrl)) {
    throw new ForbiddenError(`This token may not pay ${hostname}, so it cannot grant that. No token was created.`);
  }
}
