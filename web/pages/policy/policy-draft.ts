/** Unvalidated content of the policy form. */
import { decimalToMinor, minorToDecimal } from "../../components/minor-units.ts";
import type { StartCheckoutPolicyInput } from "../../generated/graphql.ts";
import type { PolicyDocument } from "./read-policy.ts";

export interface PolicyDraft {
  readonly currency: string;
  readonly perOrder: string;
  readonly daily: string;
  readonly monthly: string;
  /** Merchant ids. Null allows any merchant. */
  readonly allowed: readonly string[] | null;
  readonly blocked: readonly string[];
  /** Country codes. An empty list allows any country. */
  readonly countries: readonly string[];
  readonly allowsNewMerchants: boolean;
  readonly allowsOtherAddresses: boolean;
  /** Card ids. Null allows any card. */
  readonly cardIds: readonly string[] | null;
  /** Last day of the policy, as `YYYY-MM-DD`. */
  readonly until: string;
}

export type PolicyProblems = Partial<Record<keyof PolicyDraft, string>>;

const DAY_MS = 86_400_000;
/** Maximum number of days to the last day. Satchel accepts up to 366 days including that day. */
const MAX_DAYS = 365;

export const EMPTY_POLICY: PolicyDraft = {
  currency: "",
  perOrder: "",
  daily: "",
  monthly: "",
  allowed: null,
  blocked: [],
  countries: [],
  allowsNewMerchants: false,
  allowsOtherAddresses: false,
  cardIds: null,
  until: "",
};

/** Returns a draft with the terms of an existing policy, without its end date. */
export function toDraft(policy: PolicyDocument): PolicyDraft {
  const toText = (minor: number) => minorToDecimal(minor, policy.currency);
  return {
    currency: policy.currency,
    perOrder: toText(policy.per_order_max_minor),
    daily: toText(policy.daily_max_minor),
    monthly: toText(policy.monthly_max_minor),
    allowed: policy.allowed_merchants,
    blocked: policy.blocked_merchants,
    countries: policy.allowed_countries,
    allowsNewMerchants: policy.new_merchant === "allow",
    allowsOtherAddresses: policy.ship_to_other === "allow",
    cardIds: policy.card_alias_ids.length > 0 ? policy.card_alias_ids : null,
    until: "",
  };
}

/** Returns the earliest and the latest end date of a policy. */
export function endDateRange(now = new Date()): { readonly first: string; readonly last: string } {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  return { first: day(0), last: day(MAX_DAYS) };
}

/** Validates a draft. Returns the input of the mutation, or the problems by field. */
export function readDraft(
  draft: PolicyDraft,
): { readonly input: StartCheckoutPolicyInput } | { readonly problems: PolicyProblems } {
  const { currency } = draft;
  const amount = (decimal: string) => (currency === "" ? null : decimalToMinor(decimal, currency)) || null;
  const [perOrder, daily, monthly] = [amount(draft.perOrder), amount(draft.daily), amount(draft.monthly)];
  const problems: PolicyProblems = {};
  const invalidAmount = "Enter an amount such as 25 or 12.50.";
  if (currency === "") problems.currency = "Choose a currency.";
  else {
    if (perOrder === null) problems.perOrder = invalidAmount;
    if (daily === null) problems.daily = invalidAmount;
    else if (perOrder !== null && daily < perOrder) problems.daily = "The daily limit is below the limit per order.";
    if (monthly === null) problems.monthly = invalidAmount;
    else if (daily !== null && monthly < daily) problems.monthly = "The monthly limit is below the daily limit.";
  }
  if (draft.allowed?.length === 0) problems.allowed = "Choose at least one merchant, or allow any.";
  if (draft.cardIds?.length === 0) problems.cardIds = "Choose at least one card, or allow any.";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(draft.until)) problems.until = "Choose the last day.";
  if (perOrder === null || daily === null || monthly === null || Object.keys(problems).length > 0) return { problems };
  return {
    input: {
      currency,
      perOrderMaxMinor: perOrder,
      dailyMaxMinor: daily,
      monthlyMaxMinor: monthly,
      allowedMerchantIds: draft.allowed && [...draft.allowed],
      blockedMerchantIds: [...draft.blocked],
      allowedCountries: [...draft.countries],
      newMerchant: draft.allowsNewMerchants ? "ALLOW" : "REQUIRE_APPROVAL",
      shipToOther: draft.allowsOtherAddresses ? "ALLOW" : "REQUIRE_APPROVAL",
      cardIds: [...(draft.cardIds ?? [])],
      expiresAt: `${draft.until}T23:59:59.999Z`,
    },
  };
}

/** Form fields by the names of input fields in API errors. */
export const FORM_FIELDS: Readonly<Record<string, keyof PolicyDraft>> = {
  currency: "currency",
  perOrderMaxMinor: "perOrder",
  dailyMaxMinor: "daily",
  monthlyMaxMinor: "monthly",
  allowedMerchantIds: "allowed",
  blockedMerchantIds: "blocked",
  allowedCountries: "countries",
  cardIds: "cardIds",
  expiresAt: "until",
};
