/** Limits of a grant. They never exceed the account's own limits. */
import { LimitExceedsOwnError } from "../accounts/api-tokens.ts";
import { lowerLimit, type SpendingLimits } from "../accounts/spending-limits.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import type { Client } from "./clients/find-client.ts";
import { RESTRICTED_LIMITS } from "./clients/restrictions.ts";

/** Limits in micro-USD: null sets no limit, undefined selects the default. */
export interface RequestedLimits {
  readonly perTransactionMicroUsd?: bigint | null | undefined;
  readonly dailyMicroUsd?: bigint | null | undefined;
  readonly monthlyMicroUsd?: bigint | null | undefined;
}

/** The suggested limits of a first grant to an application: 5, 20 and 100 USD. */
const DEFAULT_LIMITS: SpendingLimits = {
  perTransactionMicroUsd: 5_000_000n,
  dailyMicroUsd: 20_000_000n,
  monthlyMicroUsd: 100_000_000n,
};

const FIELDS = {
  perTransactionMicroUsd: "perTransactionLimitUsd",
  dailyMicroUsd: "dailyLimitUsd",
  monthlyMicroUsd: "monthlyLimitUsd",
} as const;

type LimitName = keyof typeof FIELDS;

/** Returns the limits of a budget; null if the budget does not exist. */
export async function findLimits(db: Database, budgetId: string): Promise<SpendingLimits | null> {
  const budget = await db.prisma.budget.findUnique({ where: { id: budgetId } });
  if (!budget) return null;
  return {
    perTransactionMicroUsd: budget.perTransactionLimitMicroUsd,
    dailyMicroUsd: budget.dailyLimitMicroUsd,
    monthlyMicroUsd: budget.monthlyLimitMicroUsd,
  };
}

/** Returns the suggested limits: the previous or default ones, capped at the account's own. */
export function suggestLimits(
  own: SpendingLimits,
  previous: SpendingLimits | null,
  { isRestricted }: Pick<Client, "isRestricted">,
): SpendingLimits {
  const base = previous ?? (isRestricted ? RESTRICTED_LIMITS : DEFAULT_LIMITS);
  return {
    perTransactionMicroUsd: lowerLimit(base.perTransactionMicroUsd, own.perTransactionMicroUsd),
    dailyMicroUsd: lowerLimit(base.dailyMicroUsd, own.dailyMicroUsd),
    monthlyMicroUsd: lowerLimit(base.monthlyMicroUsd, own.monthlyMicroUsd),
  };
}

/**
 * Returns the requested limits, with `defaults` for omitted ones.
 * @throws {LimitExceedsOwnError} for the first limit that exceeds the account's own
 */
export function resolveLimits(
  own: SpendingLimits,
  requestedLimits: RequestedLimits,
  defaults: SpendingLimits,
): SpendingLimits {
  const limit = (name: LimitName): bigint | null => {
    const requested = requestedLimits[name];
    if (requested === undefined) return defaults[name];
    const max = own[name];
    if (max !== null && (requested === null || requested > max)) throw new LimitExceedsOwnError(FIELDS[name], max);
    return requested;
  };
  return {
    perTransactionMicroUsd: limit("perTransactionMicroUsd"),
    dailyMicroUsd: limit("dailyMicroUsd"),
    monthlyMicroUsd: limit("monthlyMicroUsd"),
  };
}

/**
 * Returns the requested networks without duplicates.
 * @throws {InvalidRequestError} if the list is empty
 * @throws {ForbiddenError} if the user may not pay on one of the networks
 */
export function resolveNetworks(own: readonly string[], requested: readonly string[]): readonly string[] {
  if (requested.length === 0) throw new InvalidRequestError("networks must name at least one network.", "networks");
  const forbidden = requested.find((network) => !own.includes(network));
  if (forbidden) {
    throw new ForbiddenError(`The network ${forbidden} cannot be granted: your own account may not pay on it.`);
  }
  return [...new Set(requested)];
}
