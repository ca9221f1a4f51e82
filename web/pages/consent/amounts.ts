/** The three limits of an app, as entered in the form. */

export interface Amounts {
  readonly perTransactionLimitUsd: string;
  readonly dailyLimitUsd: string;
  readonly monthlyLimitUsd: string;
}

export const LIMITS = ["perTransactionLimitUsd", "dailyLimitUsd", "monthlyLimitUsd"] as const;

/** Returns the problems of missing or invalid amounts. */
export function findAmountProblems(amounts: Amounts): Partial<Amounts> {
  const problems = LIMITS.flatMap((field) => {
    const amount = amounts[field].trim();
    if (amount === "") return [[field, "Enter a limit."]];
    return /^\d{1,9}(?:\.\d{1,6})?$/.test(amount) ? [] : [[field, "Enter an amount such as 5 or 0.25."]];
  });
  return Object.fromEntries(problems) as Partial<Amounts>;
}
