/** Result of a dry run as reported by a worker. It comes from untrusted pages and is therefore limited and validated. */
import { z } from "zod";

const Minor = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();

/** A text of limited length in one line, without characters that PostgreSQL cannot store. */
const text = (longest: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().replaceAll("\0", "").replace(/\s+/g, " ").trim().slice(0, longest));

export const DryRunBody = z.strictObject({
  /** Whether the page was reached at which a purchase would use the card. */
  isAtPayment: z.boolean(),
  /** Total of the last page, in minor units of `currency`; null if it states none. */
  totalMinor: Minor,
  /** Tax that the page states; null if it states none. */
  taxMinor: Minor,
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Required fields for which the order has no value. */
  missingFields: z.array(z.strictObject({ purpose: text(60), label: text(200) })).max(50),
});
export type DryRun = z.output<typeof DryRunBody>;
