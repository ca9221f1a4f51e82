import { randomUUID } from "node:crypto";
import type { Account, Prisma } from "../../generated/prisma/client.ts";
import { prepareApiToken } from "../accounts/api-tokens.ts";
import type { CredentialCreatedDeps } from "../accounts/credential-created.ts";
import { readEmailAddress } from "../accounts/email-address.ts";
import type { SpendingLimits } from "../accounts/spending-limits.ts";
import { SCOPES, type Viewer } from "../accounts/viewer.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { NO_PERIOD } from "../platform/utc.ts";
import { type AdmitFreeCredit, freeCreditRow } from "./free-credit.ts";
import { hasFreeCreditClaim, hashCreditAddress, recordFreeCreditClaim } from "./free-credit-claims.ts";
import { NETWORK_NAMES } from "./networks.ts";
import type { Vault } from "./vault.ts";
import { newSealedWallet } from "./wallets.ts";

export interface NewAccount {
  /** The account id, if a passkey was created for the account before the account itself. Default: a new id. */
  readonly id?: string;
  /** Null for an account that signs in without an email address. */
  readonly email: string | null;
  readonly displayName: string | null;
  /** Further sign-in methods, stored in the same transaction as the account. */
  readonly passkey?: Prisma.PasskeyCreateWithoutAccountInput;
  readonly identity?: Prisma.UpstreamIdentityCreateWithoutAccountInput;
  /** Client address that the free credit is counted for. Default: none. */
  readonly ip?: string | null;
  /** The account's own limits. They apply in addition to the limits of each credential. */
  readonly limits: SpendingLimits;
}

export interface OpenAccountDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly freeCreditMicroUsd: bigint;
  /** Default: no limit. */
  readonly admitFreeCredit?: AdmitFreeCredit;
}

/**
 * Creates an account at the operator's request, with a first API token that has every permission of the account.
 *
 * @returns the account, and the secret of the token, which cannot be read later.
 * @throws {ForbiddenError} when the viewer is not the operator.
 */
export async function createAccount(
  deps: OpenAccountDeps & CredentialCreatedDeps,
  viewer: Viewer | null,
  input: NewAccount,
): Promise<{ account: Account; secret: string }> {
  if (viewer?.kind !== "operator") {
    throw new ForbiddenError("Only the operator of this installation can create accounts. No account was created.");
  }
  const id = input.id ?? randomUUID();
  const { secret, rows } = prepareApiToken(deps.db, id, {
    name: "First token",
    limits: input.limits,
    scopes: SCOPES,
    networks: NETWORK_NAMES,
    allowedHosts: [],
    allowedPayees: [],
    expiresAt: null,
  });
  const account = await storeAccount(deps, { ...input, id }, rows);
  deps.onCredentialCreated(id);
  return { account, secret };
}

/**
 * Creates an account with an embedded wallet and a budget (spec section 1). With a verified email address it also has free
 * credit, within the operator's limits. X402 is disabled.
 * @throws {InvalidRequestError} when the address is malformed or in use.
 */
export async function openAccount(deps: OpenAccountDeps, input: NewAccount): Promise<Account> {
  return await storeAccount(deps, input, []);
}

/** Stores the account and `relatedRows` in one transaction. */
async function storeAccount(
  deps: OpenAccountDeps,
  input: NewAccount,
  relatedRows: readonly Prisma.PrismaPromise<unknown>[],
): Promise<Account> {
  const email = input.email === null ? null : readEmailAddress(input.email);
  const { prisma } = deps.db;
  if (email !== null && (await prisma.account.findUnique({ where: { email } }))) {
    throw new InvalidRequestError("email: an account with this address already exists.", "email");
  }
  const id = input.id ?? randomUUID();
  const wallet = await newSealedWallet(deps.vault, id);
  // Null: the account receives no free credit.
  const addressHash = email === null ? null : await admitCredit(deps, email, input.ip ?? null);
  const freeCreditMicroUsd = addressHash === null ? 0n : deps.freeCreditMicroUsd;
  const now = new Date();
  const [account] = await prisma.$transaction([
    prisma.account.create({
      data: {
        id,
        email,
        displayName: input.displayName,
        ...(input.passkey ? { passkeys: { create: input.passkey } } : {}),
        ...(input.identity ? { identities: { create: input.identity } } : {}),
      },
    }),
    prisma.wallet.create({ data: wallet }),
    prisma.budget.create({
      data: {
        id,
        accountId: id,
        perTransactionLimitMicroUsd: input.limits.perTransactionMicroUsd,
        dailyLimitMicroUsd: input.limits.dailyMicroUsd,
        monthlyLimitMicroUsd: input.limits.monthlyMicroUsd,
        ...NO_PERIOD,
      },
    }),
    prisma.credit.create({
      data: { accountId: id, availableMicroUsd: freeCreditMicroUsd, grantedAt: addressHash ? now : null },
    }),
    ...(addressHash
      ? [
          prisma.transaction.create({ data: freeCreditRow(id, freeCreditMicroUsd, now) }),
          recordFreeCreditClaim(prisma, addressHash),
        ]
      : []),
    ...relatedRows,
  ]);
  return account;
}

/** Returns the hash of the verified address if the new account receives free credit, otherwise null. An address receives it once. */
async function admitCredit(
  { db, freeCreditMicroUsd, admitFreeCredit }: OpenAccountDeps,
  email: string,
  ip: string | null,
) {
  if (freeCreditMicroUsd === 0n) return null;
  const addressHash = await hashCreditAddress(email);
  if (await hasFreeCreditClaim(db, addressHash)) return null;
  const isAdmitted = !admitFreeCredit || (await admitFreeCredit(freeCreditMicroUsd, ip));
  return isAdmitted ? addressHash : null;
}
