/** The signed document of a standing policy (decisions, "Policy and mandates"). Purchases outside it require approval. */
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import { type InputProblem, InvalidRequestError } from "../../platform/errors.ts";

const Caps = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const Stance = z.enum(["require_approval", "allow"]);

/** Rejects unknown members, because ignoring an unknown limit would exceed it. */
export const PolicyDocument = z.strictObject({
  id: z.string(),
  version: z.int(),
  sub: z.string(),
  agent_id: z.string().nullable(),
  currency: z.string(),
  per_order_max_minor: Caps,
  daily_max_minor: Caps,
  monthly_max_minor: Caps,
  /** Null: any merchant. */
  allowed_merchants: z.array(z.string()).nullable(),
  blocked_merchants: z.array(z.string()),
  /** Countries of merchants (ISO 3166); empty: any. */
  allowed_countries: z.array(z.string()),
  /** Stance on merchants without an earlier purchase. */
  new_merchant: Stance,
  /** Stance on delivery addresses other than the cardholder's. */
  ship_to_other: Stance,
  /** Empty: any card of the account. */
  card_alias_ids: z.array(z.string()),
  not_before: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export type PolicyDocument = z.output<typeof PolicyDocument>;

/** The terms that the account owner decides. */
export interface PolicyTerms {
  readonly currency: string;
  readonly perOrderMaxMinor: number;
  readonly dailyMaxMinor: number;
  readonly monthlyMaxMinor: number;
  readonly allowedMerchantIds: readonly string[] | null;
  readonly blockedMerchantIds: readonly string[];
  readonly allowedCountries: readonly string[];
  readonly newMerchant: "require_approval" | "allow";
  readonly shipToOther: "require_approval" | "allow";
  readonly cardIds: readonly string[];
  readonly notBefore: Date | null;
  readonly expiresAt: Date;
}

const MAX_LIST_LENGTH = 200;
const MAX_DAYS = 366;

/** Checks the terms of a policy. @throws {InvalidRequestError} naming all invalid fields */
export function checkTerms(terms: PolicyTerms, now = new Date()): void {
  const problems: InputProblem[] = [];
  const refuse = (field: string, problem: string) => {
    // One problem a field: later rules depend on earlier ones.
    if (problems.every(({ path }) => path[0] !== field)) {
      problems.push({ path: [field], message: `${field} ${problem}.` });
    }
  };
  if (!/^[A-Z]{3}$/.test(terms.currency) || !currencyOf(terms.currency)) refuse("currency", "must be an ISO 4217 code");
  for (const field of ["perOrderMaxMinor", "dailyMaxMinor", "monthlyMaxMinor"] as const) {
    if (!Caps.safeParse(terms[field]).success) refuse(field, "must be an amount of at least 1 in minor units");
  }
  if (terms.dailyMaxMinor < terms.perOrderMaxMinor) refuse("dailyMaxMinor", "must not be below perOrderMaxMinor");
  if (terms.monthlyMaxMinor < terms.dailyMaxMinor) refuse("monthlyMaxMinor", "must not be below dailyMaxMinor");
  for (const field of ["allowedMerchantIds", "blockedMerchantIds", "cardIds"] as const) {
    const ids = terms[field] ?? [];
    if (ids.length > MAX_LIST_LENGTH) refuse(field, `must contain at most ${MAX_LIST_LENGTH} ids`);
    if (ids.some((id) => !/^(?:mer|card)_\w{1,80}$/.test(id)))
      refuse(field, "must contain ids such as mer_… or card_…");
  }
  if (
    terms.allowedCountries.length > MAX_LIST_LENGTH ||
    terms.allowedCountries.some((code) => !/^[A-Z]{2}$/.test(code))
  ) {
    refuse("allowedCountries", "must contain ISO 3166 codes such as GB");
  }
  const from = Math.max(terms.notBefore?.getTime() ?? 0, now.getTime());
  if (terms.expiresAt.getTime() <= from) refuse("expiresAt", "must be after now and after notBefore");
  if (terms.expiresAt.getTime() > now.getTime() + MAX_DAYS * 86_400_000) {
    refuse("expiresAt", `must be within ${MAX_DAYS} days`);
  }
  const [first] = problems;
  if (first) throw new InvalidRequestError(first.message, first.path[0], problems);
}

/** Returns the document to sign. */
export function createPolicyDocument(
  terms: PolicyTerms,
  identity: Pick<PolicyDocument, "id" | "version" | "sub" | "agent_id">,
  now = new Date(),
): PolicyDocument {
  const sorted = (texts: readonly string[]) => [...new Set(texts)].toSorted();
  return {
    ...identity,
    currency: terms.currency,
    per_order_max_minor: terms.perOrderMaxMinor,
    daily_max_minor: terms.dailyMaxMinor,
    monthly_max_minor: terms.monthlyMaxMinor,
    allowed_merchants: terms.allowedMerchantIds && sorted(terms.allowedMerchantIds),
    blocked_merchants: sorted(terms.blockedMerchantIds),
    allowed_countries: sorted(terms.allowedCountries),
    new_merchant: terms.newMerchant,
    ship_to_other: terms.shipToOther,
    card_alias_ids: sorted(terms.cardIds),
    not_before: (terms.notBefore ?? now).toISOString(),
    expires_at: terms.expiresAt.toISOString(),
  };
}
