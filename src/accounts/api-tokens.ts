/** API tokens: created with limits, shown once, revoked at once (spec sections 1 and 5). */
import type { ApiToken, Budget, Prisma } from "../../generated/prisma/client.ts";
import { decodeBase58 } from "../platform/crypto/base58.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError, ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { NO_PERIOD } from "../platform/utc.ts";
import type { CredentialCreatedDeps } from "./credential-created.ts";
import { requireRecentProof } from "./recent-proof.ts";
import { hashToken, mintToken } from "./secret-token.ts";
import { type AccountViewer, mayPay, mayPayHost, requireManager, SCOPES, type Scope, type Viewer } from "./viewer.ts";

/** Limits in micro-USD; null: none of its own. */
export interface SpendingLimits {
  readonly perTransactionMicroUsd: bigint | null;
  readonly dailyMicroUsd: bigint | null;
  readonly monthlyMicroUsd: bigint | null;
}

export interface NewApiToken {
  readonly name: string;
  readonly limits: SpendingLimits;
  readonly scopes: readonly Scope[];
  readonly networks: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedPayees: readonly string[];
  readonly expiresAt: Date | null;
}

/** A limit asked for is wider than the one of whoever asks. */
export class LimitExceedsOwnError extends ServiceError {
  readonly code = "limit_exceeds_own";
  readonly field: string;
  readonly ownMicroUsd: bigint;
  constructor(field: string, ownMicroUsd: bigint) {
    super(`${field} may not be wider than your own.`);
    this.field = field;
    this.ownMicroUsd = ownMicroUsd;
  }
}

type PrismaPromise<Row> = Prisma.PrismaPromise<Row>;

const MAX_NAME_LENGTH = 100;
const MAX_LIST_LENGTH = 100;
/** What a token may spend in a day without a fresh proof of its maker, where the account has no limit: 100 US dollars. */
const MODEST_MICRO_USD = 100_000_000n;

const REVOKE: Statement = {
  name: "revoke-api-token",
  text: `WITH revoked AS (
      UPDATE api_tokens SET revoked_at = coalesce(revoked_at, now())
      -- The account's own budget is in all of them: only a token has those below it.
      WHERE $1 = ANY(budget_ids) AND account_id = $2 AND EXISTS (SELECT 1 FROM api_tokens WHERE id = $1 AND account_id = $2)
      RETURNING id
    ), closed AS (
      UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id
    )
    SELECT id FROM revoked WHERE id = $1`,
};

/**
 * Creates a token for the viewer's account. A token never creates a wider one than itself, and what its descendants pay
 * counts against its own limits too: any number of them together may pay no more than it could. A person who makes one
 * that may change the account, or spend more in a day than is modest, must have proved lately who they are.
 * @returns the row, and the secret, which is shown this once.
 * @throws {ReauthenticationRequiredError}
 */
export async function createApiToken(
  deps: { readonly db: Database } & CredentialCreatedDeps,
  viewer: Viewer | null,
  input: NewApiToken,
): Promise<{ token: ApiToken; secret: string }> {
  const manager = requireManager(viewer);
  checkInput(input);
  const own = await deps.db.prisma.budget.findUniqueOrThrow({ where: { id: manager.budgetId } });
  if (manager.credentialKind === "session" && isWide(input, own)) requireRecentProof(viewer);
  checkNotWider(manager, own, input);
  const stored = await storeApiToken(deps.db, manager.accountId, input, manager.budgetIds);
  deps.onCredentialCreated(manager.accountId);
  return stored;
}

/** Stores a token without asking who wants it: for the composition root, which seeds the first one. */
export async function storeApiToken(
  db: Database,
  accountId: string,
  input: NewApiToken,
  parentBudgetIds: readonly string[] = [accountId],
): Promise<{ token: ApiToken; secret: string }> {
  const { secret, rows } = newApiToken(db, accountId, input, parentBudgetIds);
  const [token] = await db.prisma.$transaction(rows);
  return { token, secret };
}

/** A token and its budget, to be stored in one transaction, with whatever else belongs to it; and the secret. */
export function newApiToken(
  db: Database,
  accountId: string,
  input: NewApiToken,
  parentBudgetIds: readonly string[] = [accountId],
): { secret: string; rows: [PrismaPromise<ApiToken>, PrismaPromise<unknown>] } {
  const secret = mintToken("satchel_sk_");
  const id = newId("tok");
  const rows: [PrismaPromise<ApiToken>, PrismaPromise<unknown>] = [
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
  ];
  return { secret, rows };
}

/** Revokes a token and all it created, at once: what is not yet reserved with it never will be. Revoking twice changes nothing. */
export async function revokeApiToken(
  deps: { readonly db: Database },
  viewer: Viewer | null,
  tokenId: string,
): Promise<ApiToken> {
  const manager = requireManager(viewer);
  const parameters = [tokenId, manager.accountId];
  const [revoked] = await retryDeadlocks(() => deps.db.query<{ id: string }>(REVOKE, parameters));
  if (!revoked) throw new NotFoundError("There is no such API token.");
  return await deps.db.prisma.apiToken.findUniqueOrThrow({ where: { id: revoked.id } });
}

/** Whoever holds a wide token could cost the person the account, or all that is in it. */
function isWide({ scopes, limits }: NewApiToken, own: Budget): boolean {
  if (scopes.includes("account:manage")) return true;
  const most = lowerLimit(limits.dailyMicroUsd, limits.monthlyMicroUsd);
  return most === null || most > (lowerLimit(own.dailyLimitMicroUsd, own.monthlyLimitMicroUsd) ?? MODEST_MICRO_USD);
}

/** Of two limits, of which null is none. */
export function lowerLimit(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function checkInput(input: NewApiToken): void {
  if (input.name.trim() === "" || input.name.length > MAX_NAME_LENGTH) {
    throw new InvalidRequestError(`name must have 1 to ${MAX_NAME_LENGTH} characters.`, "name");
  }
  for (const field of ["networks", "allowedHosts", "allowedPayees"] as const) {
    if (input[field].length > MAX_LIST_LENGTH) {
      throw new InvalidRequestError(`${field} may have at most ${MAX_LIST_LENGTH} entries.`, field);
    }
  }
  const strange = input.allowedHosts.find((host) => !isHostname(host));
  if (strange !== undefined) {
    throw new InvalidRequestError(
      `allowedHosts: ${strange} is not a host name as addresses have it, such as shop.example.`,
      "allowedHosts",
    );
  }
  const unpayable = input.allowedPayees.find((payee) => !isAddress(payee));
  if (unpayable !== undefined) {
    throw new InvalidRequestError(
      `allowedPayees: ${unpayable} is no address, neither of an EVM network (0x and 40 hexadecimal digits) nor of Solana.`,
      "allowedPayees",
    );
  }
  if (input.networks.length === 0)
    throw new InvalidRequestError("networks must name at least one network.", "networks");
  const unknown = input.scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown) throw new InvalidRequestError(`scopes: there is no scope ${unknown}.`, "scopes");
  if (input.expiresAt && input.expiresAt.getTime() <= Date.now()) {
    throw new InvalidRequestError("expiresAt must lie in the future.", "expiresAt");
  }
}

/** Exactly what a URL's `hostname` is: no port, path or capitals, which no address that is paid would ever equal. */
function isHostname(host: string): boolean {
  return URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).hostname === host;
}

/** Of an EVM network, or of Solana: base58 of 32 bytes. */
function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) || (text.length <= 44 && decodeBase58(text)?.length === 32);
}

/** The account's budget, and one for each token in a line of descent. */
const MAX_BUDGETS = 9;

function checkNotWider(manager: AccountViewer, own: Budget, input: NewApiToken): void {
  if (manager.budgetIds.length >= MAX_BUDGETS) {
    throw new ForbiddenError("This token is too far down a line of tokens to create another.");
  }
  const pairs = [
    ["perTransactionLimitUsd", input.limits.perTransactionMicroUsd, own.perTransactionLimitMicroUsd],
    ["dailyLimitUsd", input.limits.dailyMicroUsd, own.dailyLimitMicroUsd],
    ["monthlyLimitUsd", input.limits.monthlyMicroUsd, own.monthlyLimitMicroUsd],
  ] as const;
  for (const [field, asked, limit] of pairs) {
    if (limit !== null && (asked === null || asked > limit)) throw new LimitExceedsOwnError(field, limit);
  }
  const scope = input.scopes.find((asked) => !manager.scopes.includes(asked));
  if (scope) throw new ForbiddenError(`This token cannot grant the scope ${scope}, which it lacks.`);
  const network = input.networks.find((asked) => !manager.rules.networks.includes(asked));
  if (network) throw new ForbiddenError(`This token cannot grant the network ${network}, on which it may not pay.`);
  const mayGrant = {
    allowedHosts: (host: string) => mayPayHost(manager.rules, `https://${host}/`),
    allowedPayees: (payee: string) => mayPay(manager.rules, payee),
  };
  for (const field of ["allowedHosts", "allowedPayees"] as const) {
    const isAnyAsked = input[field].length === 0;
    if ((isAnyAsked && manager.rules[field].length > 0) || !input[field].every(mayGrant[field])) {
      throw new ForbiddenError(`This token cannot grant more than its own ${field}.`);
    }
  }
  // What a person makes outlasts the session in which they made it.
  const endsAtMs = manager.credentialKind === "session" ? null : manager.expiresAtMs;
  if (endsAtMs !== null && (input.expiresAt === null || input.expiresAt.getTime() > endsAtMs)) {
    throw new InvalidRequestError("expiresAt may not be later than this token's own.", "expiresAt");
  }
}
