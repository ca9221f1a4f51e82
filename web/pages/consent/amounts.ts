/** The three ceilings a person sets for an application, as they are written into a form. */

export interface Amounts {
  readonly perTransactionLimitUsd: string;
  readonly dailyLimitUsd: string;
  readonly monthlyLimitUsd: string;
}

export const LIMITS = ["perTransactionLimitUsd", "dailyLimitUsd", "monthlyLimitUsd"] as const;

/** What is missing, or is no amount. */
export function problemsOfAmounts(amounts: Amounts): Partial<Amounts> {
  const problems = LIMITS.flatMap((field) => {
    const amount = amounts[field].trim();
    if (amount === "") return [[field, "Say how much at most."]];
    return /^\d{1,9}(?:\.\d{1,6})?$/.test(amount) ? [] : [[field, "Write an amount such as 5 or 0.25."]];
  });
  return Object.fromEntries(problems) as Partial<Amounts>;
}
