/** Evaluation of a purchase against the signed standing policy. Any unmet condition requires an approval. */
import type { CheckoutPolicy } from "../../../generated/prisma/client.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { PolicyDocument } from "./policy-document.ts";

/** Reasons for which a purchase requires approval, with their user-facing text. */
export const APPROVAL_REASONS = {
  no_policy: "The account has no standing policy.",
  policy_invalid: "The standing policy contains terms that this service does not support.",
  policy_not_in_force: "The standing policy is not yet in force, or no longer in force.",
  currency_differs: "The currency differs from that of the standing policy.",
  above_order_limit: "The amount exceeds the standing policy's limit per order.",
  above_daily_limit: "The purchase would exceed the standing policy's daily limit.",
  above_monthly_limit: "The purchase would exceed the standing policy's monthly limit.",
  merchant_blocked: "The standing policy blocks this merchant.",
  merchant_not_allowed: "The standing policy does not list this merchant.",
  country_not_allowed: "The standing policy does not list the merchant's country.",
  card_entry_not_approved:
    "The card would be entered at an origin that is neither the merchant's nor a known processor's.",
  new_merchant: "This is the first purchase at this merchant.",
  ship_to_other: "The delivery address is not the cardholder's.",
  card_not_allowed: "The standing policy does not list this card.",
  card_budget_currency_differs: "The currency differs from that of the card budget of the API token or app.",
  above_card_budget_order_limit: "The amount exceeds the card budget per order of the API token or app.",
  above_card_budget_daily_limit: "The purchase would exceed the daily card budget of the API token or app.",
  above_card_budget_monthly_limit: "The purchase would exceed the monthly card budget of the API token or app.",
  outcome_unknown:
    "An order of the same items has an unknown outcome. The card may already have been charged for them within the last 24 hours.",
} as const;
export type ApprovalReason = keyof typeof APPROVAL_REASONS;

/** The facts of a dispatch that a policy evaluates. */
export interface EvaluatedDispatch {
  readonly merchantId: string;
  /** Ids of all records of the merchant, its own included. A policy that blocks any of them blocks the merchant. */
  readonly recordIds: readonly string[];
  /** Null: unknown, or stated by the merchant alone. It satisfies no list of countries. */
  readonly merchantCountryCode: string | null;
  /** Whether no order of the account has succeeded at this merchant. */
  readonly isNewMerchant: boolean;
  /** Whether the card would be entered at an origin that neither the account owner nor the operator has approved. */
  readonly isNewCardEntry: boolean;
  readonly currency: string;
  readonly amountMinor: number;
  /** Whether the delivery address is not the cardholder's. */
  readonly isShippedElsewhere: boolean;
  readonly cardId: string;
}

export type PolicyEvaluation =
  | { readonly covered: true }
  | { readonly covered: false; readonly reason: ApprovalReason };
type EvaluatedPolicy = Pick<
  CheckoutPolicy,
  "document" | "policySha256" | "activeSlot" | "revokedAt" | "day" | "dayUsedMinor" | "month" | "monthUsedMinor"
>;

/**
 * Returns whether the policy covers the dispatch, or the first reason against it. The usage of day and month is only a hint
 * here; `countPolicyUse` enforces it.
 * @param policy the database row; null if the account has none
 */
export function evaluatePolicy(
  policy: EvaluatedPolicy | null,
  dispatch: EvaluatedDispatch,
  now = new Date(),
): PolicyEvaluation {
  const reason = policy ? findObjection(policy, dispatch, now) : "no_policy";
  return reason === null ? { covered: true } : { covered: false, reason };
}

function findObjection(policy: EvaluatedPolicy, dispatch: EvaluatedDispatch, now: Date): ApprovalReason | null {
  const parsed = PolicyDocument.safeParse(policy.document);
  // Only the signed document counts; a row that was modified afterwards is invalid.
  if (!parsed.success || Buffer.compare(canonicalDigest(parsed.data), policy.policySha256) !== 0)
    return "policy_invalid";
  const terms = parsed.data;
  const isInForce = now >= new Date(terms.not_before) && now < new Date(terms.expires_at);
  const { amountMinor, merchantId } = dispatch;
  const { day, month } = periodsOf(now);
  const isOf = (date: Date, period: string) => date.toISOString().slice(0, 10) >= period;
  const usedToday = isOf(policy.day, day) ? Number(policy.dayUsedMinor) : 0;
  const usedThisMonth = isOf(policy.month, month) ? Number(policy.monthUsedMinor) : 0;
  const against: readonly (readonly [applies: boolean, reason: ApprovalReason])[] = [
    [policy.activeSlot === null || policy.revokedAt !== null || !isInForce, "policy_not_in_force"],
    [dispatch.currency !== terms.currency, "currency_differs"],
    [terms.blocked_merchants.some((id) => dispatch.recordIds.includes(id)), "merchant_blocked"],
    [terms.allowed_merchants !== null && !terms.allowed_merchants.includes(merchantId), "merchant_not_allowed"],
    [isExcluded(terms.allowed_countries, dispatch.merchantCountryCode), "country_not_allowed"],
    [isExcluded(terms.card_alias_ids, dispatch.cardId), "card_not_allowed"],
    [dispatch.isNewCardEntry, "card_entry_not_approved"],
    [dispatch.isNewMerchant && terms.new_merchant !== "allow", "new_merchant"],
    [dispatch.isShippedElsewhere && terms.ship_to_other !== "allow", "ship_to_other"],
    [!Number.isSafeInteger(amountMinor) || amountMinor < 0, "above_order_limit"],
    [amountMinor > terms.per_order_max_minor, "above_order_limit"],
    [usedToday + amountMinor > terms.daily_max_minor, "above_daily_limit"],
    [usedThisMonth + amountMinor > terms.monthly_max_minor, "above_monthly_limit"],
  ];
  return against.find(([applies]) => applies)?.[1] ?? null;
}

/** Reports whether a value is missing from a list; an empty list allows any value. */
function isExcluded(list: readonly string[], one: string | null): boolean {
  return list.length > 0 && (one === null || !list.includes(one));
}

/** Returns the UTC day and the first day of its month, as `YYYY-MM-DD`. */
export function periodsOf(now: Date): { readonly day: string; readonly month: string } {
  const day = now.toISOString().slice(0, 10);
  return { day, month: `${day.slice(0, 7)}-01` };
}
