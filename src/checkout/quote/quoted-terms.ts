/**
 * Quoted terms: `ship_to` and `constraints` of a dispatch must equal those of the quote (spec section 4.8, rule 1). Stored
 * for one day, as digests only.
 */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { CartRequest } from "../order-request.ts";

type QuotedCart = Pick<CartRequest, "merchantId" | "items" | "shipTo" | "constraints">;

/** Validity of a quote, after which it is deleted. */
export const QUOTE_RETENTION_SECONDS = 86_400;

const STORE_QUOTE: Statement = {
  name: "remember-checkout-quote",
  text: `INSERT INTO checkout_quotes (account_id, cart_sha256, terms_sha256, ship_to_sha256) VALUES ($1::uuid, $2, $3, $4)
    ON CONFLICT (account_id, cart_sha256, terms_sha256) DO UPDATE SET quoted_at = now()`,
};

export async function storeQuotedTerms(db: Database, accountId: string, request: QuotedCart): Promise<void> {
  const { cartSha256, termsSha256, shipToSha256 } = createDigests(request);
  await db.query(STORE_QUOTE, [accountId, cartSha256, termsSha256, shipToSha256]);
}

/**
 * Compares a dispatch with the latest quote of the same cart to the same destination: caps of an earlier quote were replaced.
 * Returns the term that differs, or `unquoted` if the cart has no quote. Returns null if the quote matches, or if there is no
 * quote and the request sets neither term.
 */
export async function findDeviation(
  db: Database,
  accountId: string,
  request: QuotedCart,
): Promise<"ship_to" | "constraints" | "unquoted" | null> {
  const { cartSha256, termsSha256, shipToSha256 } = createDigests(request);
  const quotes = await db.prisma.checkoutQuote.findMany({
    where: { accountId, cartSha256, quotedAt: { gt: new Date(Date.now() - QUOTE_RETENTION_SECONDS * 1_000) } },
    orderBy: { quotedAt: "desc" },
  });
  if (quotes.length === 0) return request.shipTo || request.constraints ? "unquoted" : null;
  const [latest, ...earlier] = quotes.filter((quote) => quote.shipToSha256 === shipToSha256);
  if (!latest) return "ship_to";
  // Quotes of the same millisecond have no order.
  const current = [latest, ...earlier.filter(({ quotedAt }) => quotedAt.getTime() === latest.quotedAt.getTime())];
  return current.some((quote) => Buffer.compare(quote.termsSha256, termsSha256) === 0) ? null : "constraints";
}

function createDigests({ merchantId, items, shipTo, constraints }: QuotedCart) {
  const sorted = items.toSorted((one, other) => (one.sku < other.sku ? -1 : 1));
  const shipToSha256 = shipTo?.sha256 ?? null;
  return {
    cartSha256: canonicalDigest({ merchantId, items: sorted }),
    termsSha256: canonicalDigest({ shipToSha256, constraints: constraints && { ...constraints } }),
    shipToSha256,
  };
}
