/** The search index as a catalogue: full text of PostgreSQL, with the exact order of product search also for common words. */
import { setTimeout as wait } from "node:timers/promises";
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { Catalogue, CatalogueProduct, CatalogueQuery } from "../catalogue/catalogue.ts";
import { findNearWords } from "./near-words.ts";
import { bandLexeme, readQueryWords } from "./words.ts";

/** Maximum number of matches that one query sorts. More are narrowed to the cheapest price bands first. */
const MAX_SORTED = 1_000;

const COVERED: Statement = {
  name: "covered-catalogue-indexes",
  text: "SELECT id FROM catalogue_indexes WHERE host = ANY($1) AND read_at > $2",
};

/**
 * Matches of one market. The limit bounds the rows read, in no particular order. With `+ 0`, the planner does not read the
 * index of all covered catalogues beside that of the words.
 */
const MATCHES = `SELECT id, available, currency, price_minor, price_band, sku FROM indexed_products
    WHERE search @@ $1::tsquery AND index_id + 0 = ANY($2)
      AND (market = $3 OR (market = '' AND NOT ($3 = ANY(other_markets))))
    LIMIT ${MAX_SORTED + 1}`;

const COLUMNS = [
  `c.host AS shop, p.sku, p.product_id AS "productId", p.title, p.variant_title AS "variantTitle", p.vendor`,
  `p.price_minor::float8 AS "priceMinor", p.compare_at_minor::float8 AS "compareAtMinor", p.currency, p.available`,
  `p.image_url AS "imageUrl", p.product_url AS "productUrl"`,
].join(", ");

/** Returns no products but the price bands if there are more matches than one query sorts. */
const FIND: Statement = {
  name: "find-indexed-products",
  text: `WITH matches AS MATERIALIZED (${MATCHES}),
    total AS (SELECT count(*)::int AS count FROM matches),
    bands AS (SELECT price_band AS band, count(*)::int AS count FROM matches
      WHERE available AND currency = $4 AND (SELECT count FROM total) > ${MAX_SORTED} GROUP BY price_band),
    best AS (SELECT id FROM matches ORDER BY available DESC, (currency = $4) DESC, price_minor, sku COLLATE "C", id LIMIT $5)
    SELECT (SELECT count FROM total) AS "matchCount", (SELECT json_agg(b ORDER BY band) FROM bands b) AS bands, ${COLUMNS}
    FROM best JOIN indexed_products p USING (id) JOIN catalogue_indexes c ON c.id = p.index_id`,
};

/**
 * Walks available products from the cheapest. For words so common that even one price band has more matches than one query
 * sorts: one in few hundred rows matches. The function in place of the operator makes the planner use the index of prices.
 */
const WALK: Statement = {
  name: "walk-indexed-products",
  text: `SELECT ${COLUMNS} FROM indexed_products p JOIN catalogue_indexes c ON c.id = p.index_id
    WHERE p.available AND p.currency = $4 AND ts_match_vq(p.search, $1::tsquery) AND p.index_id + 0 = ANY($2)
      AND (p.market = $3 OR (p.market = '' AND NOT ($3 = ANY(p.other_markets))))
    ORDER BY p.price_minor, p.sku COLLATE "C", p.id LIMIT $5`,
};

const FIRST_READ: Statement = {
  name: "first-read-of-catalogue-indexes",
  text: `SELECT 1 AS found FROM catalogue_indexes WHERE host = ANY($1) AND read_at IS NULL AND failure_count = 0
    AND status IN ('waiting', 'reading') LIMIT 1`,
};
/** Time that a search waits while no catalogue was ever read, as after the first start. */
const FIRST_READ_WAIT_MS = 5_000;
const FIRST_READ_POLL_MS = 250;

type Found = Omit<CatalogueProduct, "tier">;

export interface SearchIndexOptions {
  readonly db: Database;
  /** Age at which a merchant's catalogue no longer counts as covered. */
  readonly maxAgeMs: number;
}

/** Creates the catalogue of the search index. It covers a merchant once its whole catalogue was read, until that is too old. */
export function createSearchIndex({ db, maxAgeMs }: SearchIndexOptions): Catalogue {
  return {
    rails: ["shopify", "worker"],
    async search(query) {
      const covered = await findCovered(query.shops);
      const indexIds = covered.map(({ id }) => id);
      const products = indexIds.length === 0 ? [] : await findByTier(db, query, indexIds);
      return { products, shopsSearched: covered.length };
    },
  };

  async function findCovered(hosts: readonly string[]): Promise<{ id: number }[]> {
    const untilMs = performance.now() + FIRST_READ_WAIT_MS;
    for (;;) {
      const covered = await db.query<{ id: number }>(COVERED, [hosts, new Date(Date.now() - maxAgeMs)]);
      if (covered.length > 0 || performance.now() > untilMs) return covered;
      if ((await db.query(FIRST_READ, [hosts])).length === 0) return covered;
      await wait(FIRST_READ_POLL_MS);
    }
  }
}

/**
 * Finds products by all words in the title and other short texts, then by all words anywhere. Then by words that complete
 * or correct those of the query, and last by all words but one. Stops after an available product is found.
 */
async function findByTier(
  db: Database,
  query: CatalogueQuery,
  indexIds: readonly number[],
): Promise<CatalogueProduct[]> {
  const words = readQueryWords(query.query);
  if (words.length === 0) return [];
  const tiers: (() => string | Promise<string>)[] = [
    () => all(words.map((word) => quote(`=${word}`))),
    () => all(words.map(quote)),
    () => expand(db, words),
    ...(words.length > 2 ? [() => allButOne(words)] : []),
  ];
  const found = new Map<string, CatalogueProduct>();
  for (const [tier, toQuery] of tiers.entries()) {
    const matches = await findMatches(db, await toQuery(), query, indexIds);
    for (const product of matches) {
      const key = `${product.shop} ${product.productId}`;
      if (!found.has(key)) found.set(key, { ...product, tier });
    }
    if (matches.some(({ available }) => available)) break;
  }
  return [...found.values()];
}

/** Returns the first products in the order of product search. */
async function findMatches(
  db: Database,
  tsquery: string,
  { country, currency, limit }: CatalogueQuery,
  indexIds: readonly number[],
): Promise<Found[]> {
  const find = async (narrowed: string) => {
    const rows = await db.query<Found & Sample>(FIND, [narrowed, indexIds, country, currency, limit]);
    const { matchCount = 0, bands = null } = rows[0] ?? {};
    const cheapest = matchCount > MAX_SORTED ? cheapestBands(bands ?? [], limit) : null;
    return { found: rows.map(({ matchCount: _, bands: __, ...row }) => row), cheapest };
  };
  const { found, cheapest } = await find(tsquery);
  if (cheapest === null) return found;
  // The sample shows up to which price there are enough products. All cheaper ones are then matched.
  const lexemes = Array.from({ length: cheapest.last + 1 }, (_, band) => quote(bandLexeme(currency, band)));
  const narrowed = await find(all([tsquery, lexemes.join(" | ")]));
  if (narrowed.cheapest === null) return narrowed.found;
  return await db.query<Found>(WALK, [tsquery, indexIds, country, currency, limit]);
}

/** A sample of the matches. `bands` counts those that are available, if there are more matches than one query sorts. */
interface Sample {
  readonly matchCount: number;
  readonly bands: readonly PriceBand[] | null;
}

interface PriceBand {
  readonly band: number;
  readonly count: number;
}

/** Returns the lowest band up to which there are at least `count` products; null if there are fewer in all bands. */
function cheapestBands(bands: readonly PriceBand[], count: number): { readonly last: number } | null {
  let total = 0;
  for (const one of bands) {
    total += one.count;
    if (total >= count) return { last: one.band };
  }
  return null;
}

async function expand(db: Database, words: readonly string[]): Promise<string> {
  const alternatives: string[] = [];
  for (const word of words) alternatives.push([word, ...(await findNearWords(db, word))].map(quote).join(" | "));
  return all(alternatives);
}

function allButOne(words: readonly string[]): string {
  return words.map((omitted) => `(${all(words.filter((word) => word !== omitted).map(quote))})`).join(" | ");
}

const all = (terms: readonly string[]) => terms.map((term) => `(${term})`).join(" & ");
const quote = (lexeme: string) => `'${lexeme}'`;
