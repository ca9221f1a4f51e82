/**
 * Card budgets: the limits of one API token or grant for orders that the account's checkout policy covers, in one currency.
 * They apply in addition to the policy, and to those of the credential's ancestors.
 */
import { code as currencyOf } from "currency-codes";
import type { Prisma } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { NO_PERIOD } from "../platform/utc.ts";
import { lowerLimit, type SpendingLimits } from "./spending-limits.ts";

/** Limits in minor units of `currency` (ISO 4217); null if no limit is set. */
export interface CardBudgetTerms {
  readonly currency: string;
  readonly perOrderMinor: number | null;
  readonly dailyMinor: number | null;
  readonly monthlyMinor: number | null;
}

const LIMITS = ["perOrderMinor", "dailyMinor", "monthlyMinor"] as const;
const MICRO_USD_PER_CENT = 10_000n;

/** Requested terms of a credential: null for no card budget, undefined for the default. */
export interface RequestedTerms {
  readonly limits: SpendingLimits;
  readonly cardBudget?: CardBudgetTerms | null | undefined;
}

/**
 * Returns the card budget of a new credential; null for none. By default the credential's limits in US dollars also limit its
 * orders, so that a token limited to 1 USD cannot order for more. A credential without limits has no card budget.
 * @param own the card budget of the credential that creates it, which it cannot exceed
 * @throws {InvalidRequestError | ForbiddenError}
 */
export function resolveCardBudget(
  { limits, cardBudget }: RequestedTerms,
  own: CardBudgetTerms | null,
): CardBudgetTerms | null {
  if (cardBudget === undefined) return lowerBudget(deriveCardBudget(limits), own);
  if (cardBudget) checkCardBudget(cardBudget);
  if (own && !isWithin(cardBudget, own)) {
    throw new ForbiddenError("This token cannot grant a card budget that exceeds its own. Nothing was changed.");
  }
  return cardBudget;
}

/** Checks the terms of a card budget. @throws {InvalidRequestError} for the first invalid member */
export function checkCardBudget(terms: CardBudgetTerms): void {
  if (!/^[A-Z]{3}$/.test(terms.currency) || !currencyOf(terms.currency)) {
    throw new InvalidRequestError("cardBudget.currency must be an ISO 4217 code.", "cardBudget.currency");
  }
  for (const field of LIMITS) {
    const limitMinor = terms[field];
    if (limitMinor !== null && (!Number.isSafeInteger(limitMinor) || limitMinor < 0)) {
      throw new InvalidRequestError(
        `cardBudget.${field} must be an amount of at least 0 in minor units.`,
        `cardBudget.${field}`,
      );
    }
  }
}

/** Returns the budget in US cents, rounded down, that equals a credential's limits; null if it has none. */
function deriveCardBudget(limits: SpendingLimits): CardBudgetTerms | null {
  const toCents = (limit: bigint | null) => (limit === null ? null : Number(limit / MICRO_USD_PER_CENT));
  const derived = {
    currency: "USD",
    perOrderMinor: toCents(limits.perTransactionMicroUsd),
    dailyMinor: toCents(limits.dailyMicroUsd),
    monthlyMinor: toCents(limits.monthlyMicroUsd),
  };
  return LIMITS.every((field) => derived[field] === null) ? null : derived;
}

/** Returns the lower limits of both. Budgets in different currencies cannot be compared; the creator's then applies. */
function lowerBudget(derived: CardBudgetTerms | null, own: CardBudgetTerms | null): CardBudgetTerms | null {
  if (!derived || !own || derived.currency !== own.currency) return own ?? derived;
  const lower = (field: (typeof LIMITS)[number]) => lowerLimit(derived[field], own[field]);
  return {
    currency: own.currency,
    perOrderMinor: lower("perOrderMinor"),
    dailyMinor: lower("dailyMinor"),
    monthlyMinor: lower("monthlyMinor"),
  };
}

function isWithin(requested: CardBudgetTerms | null, own: CardBudgetTerms): boolean {
  if (!requested || requested.currency !== own.currency) return false;
  return LIMITS.every((field) => {
    const [limit, max] = [requested[field], own[field]];
    return max === null || (limit !== null && limit <= max);
  });
}

/** Returns the columns of a card budget without use. */
export function newCardBudgetRow(
  credential: { readonly id: string; readonly accountId: string },
  terms: CardBudgetTerms,
): Prisma.CardBudgetUncheckedCreateInput {
  const { currency, perOrderMinor, dailyMinor, monthlyMinor } = terms;
  return { ...credential, ...{ currency, perOrderMinor, dailyMinor, monthlyMinor }, ...NO_PERIOD };
}

/** Returns the card budget of a credential; null if it has none. */
export async function findCardBudget(db: Database, credentialId: string): Promise<CardBudgetTerms | null> {
  const row = await db.prisma.cardBudget.findUnique({ where: { id: credentialId } });
  if (!row) return null;
  const toMinor = (limit: bigint | null) => (limit === null ? null : Number(limit));
  return {
    currency: row.currency,
    perOrderMinor: toMinor(row.perOrderMinor),
    dailyMinor: toMinor(row.dailyMinor),
    monthlyMinor: toMinor(row.monthlyMinor),
  };
}
