/**
 * Quoted terms: `ship_to` and `constraints` of a dispatch must equal those of the quote (spec section 4.8, rule 1). Stored
 * for one day, as digests only.
 */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { CartRequest } from "../order-request.ts";

type QuotedCart = Pick<CartRequest, "merchantId" | "items" | "shipTo" | "constraints">;

const RETENTION_MS = 86_400_000;

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
 * Compares a dispatch with the quotes of the same cart. Returns the term that differs from every quote, or `unquoted` if
 * there is no quote. Returns null if a quote matches, or if there is no quote and the request sets neither term.
 */
export async function findDeviation(
  db: Database,
  accountId: string,
  request: QuotedCart,
): Promise<"ship_to" | "constraints" | "unquoted" | null> {
  const { cartSha256, termsSha256, shipToSha256 } = createDigests(request);
  const quotes = await db.prisma.checkoutQuote.findMany({
    where: { accountId, cartSha256, quotedAt: { gt: new Date(Date.now() - RETENTION_MS) } },
  });
  if (quotes.some((quote) => Buffer.compare(quote.termsSha256, termsSha256) === 0)) return null;
  if (quotes.length === 0) return request.shipTo || request.constraints ? "unquoted" : null;
  return quotes.some((quote) => quote.shipToSha256 === shipToSha256) ? "constraints" : "ship_to";
}

/** Deletes expired quotes. @returns the number of deleted quotes */
export async function deleteExpiredQuotes(db: Database): Promise<number> {
  const old = { quotedAt: { lte: new Date(Date.now() - RETENTION_MS) } };
  return (await db.prisma.checkoutQuote.deleteMany({ where: old })).count;
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
