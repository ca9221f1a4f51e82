/**
 * Strict parser of the standing policy that is signed. An unknown member makes the document invalid, which prevents
 * signing anything that is not displayed.
 */
import * as z from "zod/mini";

// The content security policy blocks `eval`, and zod's attempt to use it is reported as a violation.
z.config({ jitless: true });

const text = z.string();
const cap = z.int().check(z.minimum(1));
const stance = z.enum(["require_approval", "allow"]);

const PolicyDocument = z.strictObject({
  id: text,
  version: z.int(),
  sub: text,
  agent_id: z.nullable(text),
  currency: text,
  per_order_max_minor: cap,
  daily_max_minor: cap,
  monthly_max_minor: cap,
  allowed_merchants: z.nullable(z.array(text)),
  blocked_merchants: z.array(text),
  allowed_countries: z.array(text),
  new_merchant: stance,
  ship_to_other: stance,
  card_alias_ids: z.array(text),
  not_before: text,
  expires_at: text,
});

export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** Returns the parsed policy, or null if a member is missing or unknown. */
export function readPolicyDocument(given: unknown): PolicyDocument | null {
  return PolicyDocument.safeParse(given).data ?? null;
}

/** Returns the ids of all merchants named in a policy. */
export function namedMerchantIds({ allowed_merchants, blocked_merchants }: PolicyDocument): readonly string[] {
  return [...new Set([...(allowed_merchants ?? []), ...blocked_merchants])];
}
