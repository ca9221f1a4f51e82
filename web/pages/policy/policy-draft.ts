/** A policy as its form holds it: nothing of it is known to be right. */
import { decimalOf, minorOf } from "../../components/minor.ts";
import type { StartCheckoutPolicyInput } from "../../generated/graphql.ts";
import type { PolicyDocument } from "./read-policy.ts";

export interface PolicyDraft {
  readonly currency: string;
  readonly perOrder: string;
  readonly daily: string;
  readonly monthly: string;
  /** Null: any shop. */
  readonly allowed: readonly string[] | null;
  readonly blocked: readonly string[];
  /** Empty: any country. */
  readonly countries: readonly string[];
  readonly mayBuyAtNewShops: boolean;
  readonly maySendElsewhere: boolean;
  /** Null: any card. */
  readonly cardIds: readonly string[] | null;
  /** A date of the calendar, the last one. */
  readonly until: string;
}

export type PolicyProblems = Partial<Record<keyof PolicyDraft, string>>;

const DAY_MS = 86_400_000;
/** The service takes 366 days, to the end of the last. */
const MOST_DAYS = 365;

export const EMPTY_POLICY: PolicyDraft = {
  currency: "",
  perOrder: "",
  daily: "",
  monthly: "",
  allowed: null,
  blocked: [],
  countries: [],
  mayBuyAtNewShops: false,
  maySendElsewhere: false,
  cardIds: null,
  until: "",
};

/** To begin another from; for how long is decided anew. */
export function draftOf(policy: PolicyDocument): PolicyDraft {
  const written = (minor: number) => decimalOf(minor, policy.currency);
  return {
    currency: policy.currency,
    perOrder: written(policy.per_order_max_minor),
    daily: written(policy.daily_max_minor),
    monthly: written(policy.monthly_max_minor),
    allowed: policy.allowed_merchants,
    blocked: policy.blocked_merchants,
    countries: policy.allowed_countries,
    mayBuyAtNewShops: policy.new_merchant === "allow",
    maySendElsewhere: policy.ship_to_other === "allow",
    cardIds: policy.card_alias_ids.length > 0 ? policy.card_alias_ids : null,
    until: "",
  };
}

/** The first and the last day a policy may end on. */
export function daysOfEnd(now = new Date()): { readonly first: string; readonly last: string } {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  return { first: day(0), last: day(MOST_DAYS) };
}

/** What is asked of the service, or what is wrong with the draft. */
export function readDraft(
  draft: PolicyDraft,
): { readonly input: StartCheckoutPolicyInput } | { readonly problems: PolicyProblems } {
  const { currency } = draft;
  const amount = (written: string) => (currency === "" ? null : minorOf(written, currency)) || null;
  const [perOrder, daily, monthly] = [amount(draft.perOrder), amount(draft.daily), amount(draft.monthly)];
  const problems: PolicyProblems = {};
  const unreadable = "Write an amount such as 25 or 12.50.";
  if (currency === "") problems.currency = "Choose a currency.";
  else {
    if (perOrder === null) problems.perOrder = unreadable;
    if (daily === null) problems.daily = unreadable;
    else if (perOrder !== null && daily < perOrder) problems.daily = "This is less than for one order.";
    if (monthly === null) problems.monthly = unreadable;
    else if (daily !== null && monthly < daily) problems.monthly = "This is less than for a day.";
  }
  if (draft.allowed?.length === 0) problems.allowed = "Choose at least one shop, or allow any.";
  if (draft.cardIds?.length === 0) problems.cardIds = "Choose at least one card, or allow any.";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(draft.until)) problems.until = "Choose its last day.";
  if (perOrder === null || daily === null || monthly === null || Object.keys(problems).length > 0) return { problems };
  return {
    input: {
      currency,
      perOrderMaxMinor: perOrder,
      dailyMaxMinor: daily,
      monthlyMaxMinor: monthly,
      allowedMerchants: draft.allowed && [...draft.allowed],
      blockedMerchants: [...draft.blocked],
      allowedCountries: [...draft.countries],
      newMerchant: draft.mayBuyAtNewShops ? "ALLOW" : "REQUIRE_APPROVAL",
      shipToOther: draft.maySendElsewhere ? "ALLOW" : "REQUIRE_APPROVAL",
      cardIds: [...(draft.cardIds ?? [])],
      expiresAt: `${draft.until}T23:59:59.999Z`,
    },
  };
}

/** Where the service's names of fields stand in the form. */
export const PLACES: Readonly<Record<string, keyof PolicyDraft>> = {
  currency: "currency",
  perOrderMaxMinor: "perOrder",
  dailyMaxMinor: "daily",
  monthlyMaxMinor: "monthly",
  allowedMerchants: "allowed",
  blockedMerchants: "blocked",
  allowedCountries: "countries",
  cardIds: "cardIds",
  expiresAt: "until",
};
