/** Whether a purchase is within what the person signed. It says no unless everything says yes. */
import type { CheckoutPolicy } from "../../../generated/prisma/client.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { PolicyDocument } from "./policy-document.ts";

/** Why a purchase waits for its person, by what they are told. */
export const APPROVAL_REASONS = {
  no_policy: "There is no standing policy that would cover it.",
  policy_invalid: "The standing policy holds something this service does not understand.",
  policy_not_in_force: "The standing policy is not in force: not yet, or not any more.",
  currency_differs: "It is in another currency than the standing policy.",
  above_order_limit: "It costs more than the standing policy allows for one order.",
  above_daily_limit: "With it, today's orders would cost more than the standing policy allows for a day.",
  above_monthly_limit: "With it, this month's orders would cost more than the standing policy allows for a month.",
  merchant_blocked: "The standing policy excludes the shop.",
  merchant_not_allowed: "The shop is not among those the standing policy names.",
  country_not_allowed: "The shop's country is not among those the standing policy names.",
  new_merchant: "Nothing was bought at this shop before.",
  ship_to_other: "It goes to another address than the cardholder's.",
  card_not_allowed: "The card is not among those the standing policy names.",
} as const;
export type ApprovalReason = keyof typeof APPROVAL_REASONS;

/** What is judged of a dispatch. */
export interface JudgedDispatch {
  readonly merchantId: string;
  readonly merchantCountryCode: string;
  /** No order of the account succeeded there. */
  readonly isNewMerchant: boolean;
  readonly currency: string;
  readonly amountMinor: number;
  /** Goes to another address than the cardholder's. */
  readonly isShippedElsewhere: boolean;
  readonly cardId: string;
}

export type Judgement = { readonly covered: true } | { readonly covered: false; readonly reason: ApprovalReason };
type JudgedPolicy = Pick<
  CheckoutPolicy,
  "document" | "policySha256" | "activeSlot" | "revokedAt" | "day" | "dayUsedMinor" | "month" | "monthUsedMinor"
>;

/**
 * The first reason against it, or that there is none. What was used of day and month is a hint: `usePolicy` decides.
 * @param policy as the database has it, or null where the account has none
 */
export function evaluatePolicy(policy: JudgedPolicy | null, dispatch: JudgedDispatch, now = new Date()): Judgement {
  const reason = policy ? objection(policy, dispatch, now) : "no_policy";
  return reason === null ? { covered: true } : { covered: false, reason };
}

function objection(policy: JudgedPolicy, dispatch: JudgedDispatch, now: Date): ApprovalReason | null {
  const parsed = PolicyDocument.safeParse(policy.document);
  // What was signed is what is judged: a row that was changed since is worth nothing.
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
    [terms.blocked_merchants.includes(merchantId), "merchant_blocked"],
    [terms.allowed_merchants !== null && !terms.allowed_merchants.includes(merchantId), "merchant_not_allowed"],
    [isOutside(terms.allowed_countries, dispatch.merchantCountryCode), "country_not_allowed"],
    [isOutside(terms.card_alias_ids, dispatch.cardId), "card_not_allowed"],
    [dispatch.isNewMerchant && terms.new_merchant !== "allow", "new_merchant"],
    [dispatch.isShippedElsewhere && terms.ship_to_other !== "allow", "ship_to_other"],
    [!Number.isSafeInteger(amountMinor) || amountMinor < 0, "above_order_limit"],
    [amountMinor > terms.per_order_max_minor, "above_order_limit"],
    [usedToday + amountMinor > terms.daily_max_minor, "above_daily_limit"],
    [usedThisMonth + amountMinor > terms.monthly_max_minor, "above_monthly_limit"],
  ];
  return against.find(([applies]) => applies)?.[1] ?? null;
}

/** An empty list names nobody in particular. */
function isOutside(list: readonly string[], one: string): boolean {
  return list.length > 0 && !list.includes(one);
}

/** The UTC day and the first day of its month, as `YYYY-MM-DD`. */
export function periodsOf(now: Date): { readonly day: string; readonly month: string } {
  const day = now.toISOString().slice(0, 10);
  return { day, month: `${day.slice(0, 7)}-01` };
}
