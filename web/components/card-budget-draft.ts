/** Card budget of an API token or app, as entered in a form. */
import type { CardBudgetInput } from "../generated/graphql.ts";
import { decimalToMinor, minorToDecimal } from "./minor-units.ts";

export interface CardBudgetDraft {
  /** LIMITS: the limits in US dollars also limit orders. OWN: the amounts of this draft. POLICY: the checkout policy alone. */
  readonly choice: "LIMITS" | "OWN" | "POLICY";
  readonly currency: string;
  readonly perOrder: string;
  readonly daily: string;
  readonly monthly: string;
}

export type CardBudgetProblems = Partial<Record<"currency" | "perOrder" | "daily" | "monthly", string>>;

interface CurrentBudget {
  readonly currency: string;
  readonly perOrderLimit?: { readonly amountMinor: number } | null;
  readonly dailyLimit?: { readonly amountMinor: number } | null;
  readonly monthlyLimit?: { readonly amountMinor: number } | null;
}

const EMPTY = { currency: "", perOrder: "", daily: "", monthly: "" };

/** Draft of a new token or a first grant. */
export const NEW_CARD_BUDGET: CardBudgetDraft = { choice: "LIMITS", ...EMPTY };

/** Returns the draft of an existing grant, whose budget is null if the checkout policy alone limits it. */
export function toCardBudgetDraft(budget: CurrentBudget | null | undefined): CardBudgetDraft {
  if (!budget) return { choice: "POLICY", ...EMPTY };
  const { currency } = budget;
  const toText = (limit: { readonly amountMinor: number } | null | undefined) =>
    limit ? minorToDecimal(limit.amountMinor, currency) : "";
  const limits = {
    perOrder: toText(budget.perOrderLimit),
    daily: toText(budget.dailyLimit),
    monthly: toText(budget.monthlyLimit),
  };
  return { choice: "OWN", currency, ...limits };
}

/**
 * Validates a draft. Returns the input of the mutation, which is undefined for the default, or the problems by field.
 * @param allowsNoLimit whether an empty amount means no limit
 */
export function readCardBudget(
  draft: CardBudgetDraft,
  { allowsNoLimit }: { readonly allowsNoLimit: boolean },
): { readonly input: CardBudgetInput | null | undefined } | { readonly problems: CardBudgetProblems } {
  if (draft.choice !== "OWN") return { input: draft.choice === "POLICY" ? null : undefined };
  const { currency } = draft;
  if (currency === "") return { problems: { currency: "Choose a currency." } };
  const problems: CardBudgetProblems = {};
  const amountOf = (field: "perOrder" | "daily" | "monthly") => {
    const text = draft[field].trim();
    if (text === "" && allowsNoLimit) return null;
    const amountMinor = decimalToMinor(text, currency);
    if (amountMinor === null) problems[field] = text === "" ? "Enter a limit." : "Enter an amount such as 25 or 12.50.";
    return amountMinor;
  };
  const input = {
    currency,
    perOrderLimitMinor: amountOf("perOrder"),
    dailyLimitMinor: amountOf("daily"),
    monthlyLimitMinor: amountOf("monthly"),
  };
  return Object.keys(problems).length > 0 ? { problems } : { input };
}
