/** Limits of a grant: never wider than those of the account that gives it. */
import { LimitExceedsOwnError, lowerLimit, type SpendingLimits } from "../accounts/api-tokens.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";

/** Null: none of its own; undefined: not said. */
export interface RequestedLimits {
  readonly perTransactionMicroUsd?: bigint | null | undefined;
  readonly dailyMicroUsd?: bigint | null | undefined;
  readonly monthlyMicroUsd?: bigint | null | undefined;
}

/** What is proposed to somebody who allows an application for the first time: 5, 20 and 100 USD. */
const FIRST_PROPOSAL: SpendingLimits = {
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

/** The limits of a budget; null when there is no such budget. */
export async function limitsOf(db: Database, budgetId: string): Promise<SpendingLimits | null> {
  const budget = await db.prisma.budget.findUnique({ where: { id: budgetId } });
  if (!budget) return null;
  return {
    perTransactionMicroUsd: budget.perTransactionLimitMicroUsd,
    dailyMicroUsd: budget.dailyLimitMicroUsd,
    monthlyMicroUsd: budget.monthlyLimitMicroUsd,
  };
}

/** What to propose: what was allowed before, else a little; within the account's own. */
export function suggestLimits(own: SpendingLimits, previous: SpendingLimits | null): SpendingLimits {
  const base = previous ?? FIRST_PROPOSAL;
  return {
    perTransactionMicroUsd: lowerLimit(base.perTransactionMicroUsd, own.perTransactionMicroUsd),
    dailyMicroUsd: lowerLimit(base.dailyMicroUsd, own.dailyMicroUsd),
    monthlyMicroUsd: lowerLimit(base.monthlyMicroUsd, own.monthlyMicroUsd),
  };
}

/**
 * What was asked for, and `otherwise` for what was not said.
 * @throws {LimitExceedsOwnError} naming the first that is wider than the account's own.
 */
export function limitsWithin(own: SpendingLimits, asked: RequestedLimits, otherwise: SpendingLimits): SpendingLimits {
  const limit = (name: LimitName): bigint | null => {
    const wanted = asked[name];
    if (wanted === undefined) return otherwise[name];
    const widest = own[name];
    if (widest !== null && (wanted === null || wanted > widest)) throw new LimitExceedsOwnError(FIELDS[name], widest);
    return wanted;
  };
  return {
    perTransactionMicroUsd: limit("perTransactionMicroUsd"),
    dailyMicroUsd: limit("dailyMicroUsd"),
    monthlyMicroUsd: limit("monthlyMicroUsd"),
  };
}

/** @throws {InvalidRequestError | ForbiddenError} when there is none, or one that the person may not pay on themselves. */
export function networksWithin(own: readonly string[], asked: readonly string[]): readonly string[] {
  if (asked.length === 0) throw new InvalidRequestError("networks must name at least one network.", "networks");
  const foreign = asked.find((network) => !own.includes(network));
  if (foreign) throw new ForbiddenError(`The network ${foreign} cannot be allowed: you may not pay on it yourself.`);
  return [...new Set(asked)];
}
