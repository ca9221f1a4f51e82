/** A standing policy as it is signed, read: all of it or nothing, so that nothing is signed that is not shown. */
import * as z from "zod/mini";

// The page's policy lets nothing be compiled, and complains of the attempt.
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

/** Null when there is a member that this page does not know, or lacks one. */
export function readPolicyDocument(given: unknown): PolicyDocument | null {
  return PolicyDocument.safeParse(given).data ?? null;
}

/** The shops that a policy names. */
export function shopsOf({ allowed_merchants, blocked_merchants }: PolicyDocument): readonly string[] {
  return [...new Set([...(allowed_merchants ?? []), ...blocked_merchants])];
}
