/** API tokens: created with limits, shown once, revoked with immediate effect (spec sections 1 and 5). */
import { z } from "zod";
import type { ApiToken, Budget, Prisma } from "../../generated/prisma/client.ts";
import { decodeBase58 } from "../platform/crypto/base58.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";
import { isStorableText } from "../platform/database/text.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError, ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { NO_PERIOD } from "../platform/utc.ts";
import { createInputError } from "../platform/validation.ts";
import { type CardBudgetTerms, findCardBudget, newCardBudgetRow, resolveCardBudget } from "./card-budget.ts";
import type { CredentialCreatedDeps } from "./credential-created.ts";
import { requireRecentProof } from "./recent-proof.ts";
import { hashToken, mintToken } from "./secret-token.ts";
import { lowerLimit, type SpendingLimits } from "./spending-limits.ts";
import {
  type AccountViewer,
  isHostAllowed,
  isPayeeAllowed,
  requireManager,
  SCOPES,
  type Scope,
  type Viewer,
} from "./viewer.ts";

export interface NewApiToken {
  readonly name: string;
  readonly limits: SpendingLimits;
  /** Own limits for orders by card. Null: the checkout policy alone. Omitted: derived from `limits`. */
  readonly cardBudget?: CardBudgetTerms | null | undefined;
  readonly scopes: readonly Scope[];
  readonly networks: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedPayees: readonly string[];
  readonly expiresAt: Date | null;
}

/** A requested limit exceeds the calling credential's own limit. */
export class LimitExceedsOwnError extends ServiceError {
  readonly code = "limit_exceeds_own";
  readonly field: string;
  readonly ownMicroUsd: bigint;
  constructor(field: string, ownMicroUsd: bigint) {
    super(`${field} exceeds the limit of the calling credential. Nothing was changed. Request a lower limit.`);
    this.field = field;
    this.ownMicroUsd = ownMicroUsd;
  }
}

type PrismaPromise<Row> = Prisma.PrismaPromise<Row>;

const MAX_NAME_LENGTH = 100;
const MAX_LIST_LENGTH = 100;
/** A list of texts that all satisfy a condition. */
const listOf = (isValid: (text: string) => boolean, requirement: string) =>
  z
    .array(z.string())
    .max(MAX_LIST_LENGTH, `may have at most ${MAX_LIST_LENGTH} entries`)
    .superRefine((texts, context) => {
      const invalid = texts.find((text) => !isValid(text));
      if (invalid !== undefined) context.addIssue(`contains ${invalid}, which is not ${requirement}`);
    });

/** Rules of a new token, by field. */
export const API_TOKEN_FIELDS = {
  name: z
    .string()
    .refine(isStorableText, "holds text that is not valid Unicode, or a NUL character")
    .refine(
      (name) => name.trim() !== "" && name.length <= MAX_NAME_LENGTH,
      `must have 1 to ${MAX_NAME_LENGTH} characters`,
    ),
  networks: z.array(z.string()).min(1, "must name at least one network"),
  scopes: listOf((scope) => (SCOPES as readonly string[]).includes(scope), "a scope"),
  allowedHosts: listOf(isHostname, "a host name as in a URL, such as api.example (lower case, no port or path)"),
  allowedPayees: listOf(isAddress, "an address of an EVM network (0x and 40 hexadecimal digits) or of Solana"),
  expiresAt: z
    .date()
    .refine((at) => at.getTime() > Date.now(), "must be in the future")
    .nullable(),
};

/**
 * The highest daily limit of a token that a session may create without a recent proof of identity: 100 US dollars.
 * Applies if the account has no limit.
 */
const LOW_RISK_DAILY_MICRO_USD = 100_000_000n;

const REVOKE: Statement = {
  name: "revoke-api-token",
  text: `WITH revoked AS (
      UPDATE api_tokens SET revoked_at = coalesce(revoked_at, now())
      -- EXISTS: $1 must be a token. The account's own budget is in every budget_ids and would match all tokens.
      WHERE $1 = ANY(budget_ids) AND account_id = $2 AND EXISTS (SELECT 1 FROM api_tokens WHERE id = $1 AND account_id = $2)
      RETURNING id
    ), closed AS (
      UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id
    )
    SELECT id FROM revoked WHERE id = $1`,
};

/**
 * Creates a token for the viewer's account. A token cannot create a token with more rights than its own. Payments by
 * its descendants also count against its own limits, so all of them together cannot exceed it.
 * @returns the row and the secret, which is shown only once
 * @throws {ReauthenticationRequiredError} when a session without a recent proof of identity creates a token that may
 *   change the account or has a high limit
 * @throws {LimitExceedsOwnError | ForbiddenError} when the token would have more rights than the calling credential
 * @throws {InvalidRequestError}
 */
export async function createApiToken(
  deps: { readonly db: Database } & CredentialCreatedDeps,
  viewer: Viewer | null,
  input: NewApiToken,
): Promise<{ token: ApiToken; secret: string }> {
  const manager = requireManager(viewer);
  const { error } = z.object(API_TOKEN_FIELDS).safeParse(input);
  if (error) throw createInputError(error.issues);
  const own = await deps.db.prisma.budget.findUniqueOrThrow({ where: { id: manager.budgetId } });
  if (manager.credentialKind === "session" && isHighRisk(input, own)) requireRecentProof(viewer);
  checkWithinOwnRights(manager, own, input);
  const cardBudget = resolveCardBudget(input, await findCardBudget(deps.db, manager.budgetId));
  const stored = await storeApiToken(deps.db, manager.accountId, { ...input, cardBudget }, manager.budgetIds);
  deps.onCredentialCreated(manager.accountId);
  return stored;
}

/** Stores a token without authorization checks. Only for the composition root, which seeds the first token. */
export async function storeApiToken(
  db: Database,
  accountId: string,
  input: NewApiToken,
  parentBudgetIds: readonly string[] = [accountId],
): Promise<{ token: ApiToken; secret: string }> {
  const { secret, rows } = prepareApiToken(db, accountId, input, parentBudgetIds);
  const [token] = await db.prisma.$transaction(rows);
  return { token, secret };
}

/**
 * Returns the secret and the inserts of the token and its budgets. The caller runs the inserts in one transaction,
 * together with related rows.
 */
export function prepareApiToken(
  db: Database,
  accountId: string,
  input: NewApiToken,
  parentBudgetIds: readonly string[] = [accountId],
): { secret: string; rows: [PrismaPromise<ApiToken>, ...PrismaPromise<unknown>[]] } {
  const secret = mintToken("satchel_sk_");
  const id = newId("tok");
  const cardBudget = resolveCardBudget(input, null);
  const rows: [PrismaPromise<ApiToken>, ...PrismaPromise<unknown>[]] = [
    db.prisma.apiToken.create({
      data: {
        id,
        accountId,
        name: input.name,
        tokenHash: hashToken(secret),
        hint: secret.slice(-4),
        scopes: [...input.scopes],
        networks: [...input.networks],
        allowedHosts: [...input.allowedHosts],
        allowedPayees: [...input.allowedPayees],
        budgetIds: [...parentBudgetIds, id],
        expiresAt: input.expiresAt,
      },
    }),
    db.prisma.budget.create({
      data: {
        id,
        accountId,
        perTransactionLimitMicroUsd: input.limits.perTransactionMicroUsd,
        dailyLimitMicroUsd: input.limits.dailyMicroUsd,
        monthlyLimitMicroUsd: input.limits.monthlyMicroUsd,
        ...NO_PERIOD,
        closedAt: input.expiresAt,
      },
    }),
    ...(cardBudget ? [db.prisma.cardBudget.create({ data: newCardBudgetRow({ id, accountId }, cardBudget) })] : []),
  ];
  return { secret, rows };
}

/**
 * Revokes a token and all its descendants with immediate effect: none of them can reserve a payment afterwards.
 * Idempotent.
 * @throws {NotFoundError}
 */
export async function revokeApiToken(
  deps: { readonly db: Database },
  viewer: Viewer | null,
  tokenId: string,
): Promise<ApiToken> {
  const manager = requireManager(viewer);
  const parameters = [tokenId, manager.accountId];
  const [revoked] = await retryDeadlocks(() => deps.db.query<{ id: string }>(REVOKE, parameters));
  if (!revoked) throw new NotFoundError("API token not found.");
  return await deps.db.prisma.apiToken.findUniqueOrThrow({ where: { id: revoked.id } });
}

/** Returns true if a leaked token could change the account or spend most of its funds. */
function isHighRisk({ scopes, limits }: NewApiToken, own: Budget): boolean {
  if (scopes.includes("account:manage")) return true;
  const most = lowerLimit(limits.dailyMicroUsd, limits.monthlyMicroUsd);
  return (
    most === null || most > (lowerLimit(own.dailyLimitMicroUsd, own.monthlyLimitMicroUsd) ?? LOW_RISK_DAILY_MICRO_USD)
  );
}

/**
 * Returns true if `host` equals a URL's `hostname`. A host with a port, path or capitals would never match a paid URL.
 */
function isHostname(host: string): boolean {
  return URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).hostname === host;
}

/** Returns true for an address of an EVM network or of Solana (base58 of 32 bytes). */
function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) || (text.length <= 44 && decodeBase58(text)?.length === 32);
}

/**
 * The maximum number of budgets a payment counts against: the account's, and one for each token in the chain of
 * parents.
 */
const MAX_BUDGETS = 9;

function checkWithinOwnRights(manager: AccountViewer, own: Budget, input: NewApiToken): void {
  if (manager.budgetIds.length >= MAX_BUDGETS) {
    throw new ForbiddenError(
      "No token was created: this token has too many ancestors. Create the token with a session or an ancestor.",
    );
  }
  const pairs = [
    ["perTransactionLimitUsd", input.limits.perTransactionMicroUsd, own.perTransactionLimitMicroUsd],
    ["dailyLimitUsd", input.limits.dailyMicroUsd, own.dailyLimitMicroUsd],
    ["monthlyLimitUsd", input.limits.monthlyMicroUsd, own.monthlyLimitMicroUsd],
  ] as const;
  for (const [field, requested, limit] of pairs) {
    if (limit !== null && (requested === null || requested > limit)) throw new LimitExceedsOwnError(field, limit);
  }
  const scope = input.scopes.find((requested) => !manager.scopes.includes(requested));
  if (scope) throw new ForbiddenError(`This token cannot grant the scope ${scope}, which it lacks.`);
  const network = input.networks.find((requested) => !manager.rules.networks.includes(requested));
  if (network) throw new ForbiddenError(`This token cannot grant the network ${network}, on which it may not pay.`);
  const mayGrant = {
    allowedHosts: (host: string) => isHostAllowed(manager.rules, `https://${host}/`),
    allowedPayees: (payee: string) => isPayeeAllowed(manager.rules, payee),
  };
  for (const field of ["allowedHosts", "allowedPayees"] as const) {
    const isUnrestricted = input[field].length === 0;
    if ((isUnrestricted && manager.rules[field].length > 0) || !input[field].every(mayGrant[field])) {
      throw new ForbiddenError(`This token cannot grant more than its own ${field}.`);
    }
  }
  // A token created by a session outlives the session.
  const endsAtMs = manager.credentialKind === "session" ? null : manager.expiresAtMs;
  if (endsAtMs !== null && (input.expiresAt === null || input.expiresAt.getTime() > endsAtMs)) {
    throw new InvalidRequestError("expiresAt must not be later than the calling token's expiresAt.", "expiresAt");
  }
}
