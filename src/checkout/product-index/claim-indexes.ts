/** Claims of merchants' catalogues to read: those that waited longest first, so that a large one delays no other. */
import { randomUUID } from "node:crypto";
import type { CatalogueIndex, Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";

/** Time after which another node continues the pass of a node that crashed. A stored step renews it. */
export const LEASE_MS = 60_000;
/** Words of the vocabulary checked per run. */
const WORDS_PER_RUN = 500;
/** Products removed per run of a merchant that no account can see any more. */
const REMOVED_PER_RUN = 5_000;

export interface ClaimedIndex extends CatalogueIndex {
  readonly leaseId: string;
}

/**
 * Adds the merchants that accept orders or that the pool has. Rows that would change nothing are not proposed: each would consume
 * an id, of which there are 2³¹, and lock its catalogue. A pooled merchant precedes accounts' own records of its host.
 */
const ADD: Statement = {
  name: "add-catalogue-indexes",
  text: `INSERT INTO catalogue_indexes (host, url, rail, currency)
    SELECT * FROM (
      SELECT DISTINCT ON (domain) domain, url, rail, currency FROM merchants
      WHERE pooled_domain IS NOT NULL OR onboarded_at IS NOT NULL ORDER BY domain, pooled_domain NULLS LAST, id
    ) m WHERE NOT EXISTS (SELECT FROM catalogue_indexes c WHERE c.host = m.domain
      AND (c.url, c.rail, c.currency) IS NOT DISTINCT FROM (m.url, m.rail, m.currency))
    ON CONFLICT (host) DO UPDATE SET url = excluded.url, rail = excluded.rail, currency = excluded.currency
      WHERE (catalogue_indexes.url, catalogue_indexes.rail, catalogue_indexes.currency)
        IS DISTINCT FROM (excluded.url, excluded.rail, excluded.currency)`,
};

const CLAIM: Statement = {
  name: "claim-catalogue-indexes",
  text: `UPDATE catalogue_indexes SET lease_id = $1, leased_until = now() + $2 * interval '1 millisecond', attempted_at = now(),
      status = 'reading', pass_started_at = CASE WHEN cursor IS NULL THEN now() ELSE pass_started_at END,
      pass = CASE WHEN cursor IS NULL THEN pass + 1 ELSE pass END,
      request_count = CASE WHEN cursor IS NULL THEN 0 ELSE request_count END,
      unchanged_count = CASE WHEN cursor IS NULL THEN 0 ELSE unchanged_count END
    WHERE id = ANY(ARRAY(
      SELECT c.id FROM catalogue_indexes c WHERE c.due_at <= now() AND (c.leased_until IS NULL OR c.leased_until < now())
        AND EXISTS (SELECT FROM merchants m WHERE m.domain = c.host AND (m.pooled_domain IS NOT NULL OR m.onboarded_at IS NOT NULL))
      ORDER BY c.attempted_at NULLS FIRST, c.id LIMIT $3 FOR UPDATE OF c SKIP LOCKED))
    RETURNING id`,
};

const REMOVE_PRODUCTS: Statement = {
  name: "remove-products-without-merchant",
  text: `WITH orphan AS (SELECT c.id FROM catalogue_indexes c WHERE NOT EXISTS (SELECT FROM merchants m WHERE m.domain = c.host
      AND (m.pooled_domain IS NOT NULL OR m.onboarded_at IS NOT NULL)) LIMIT 1)
    DELETE FROM indexed_products WHERE id = ANY(ARRAY(SELECT p.id FROM indexed_products p JOIN orphan ON orphan.id = p.index_id
      LIMIT ${REMOVED_PER_RUN}))`,
};
const REMOVE_INDEXES: Statement = {
  name: "remove-indexes-without-merchant",
  text: `DELETE FROM catalogue_indexes c WHERE NOT EXISTS (SELECT FROM merchants m WHERE m.domain = c.host
      AND (m.pooled_domain IS NOT NULL OR m.onboarded_at IS NOT NULL))
    AND NOT EXISTS (SELECT FROM indexed_products p WHERE p.index_id = c.id)`,
};

/**
 * Continues after the word of the previous run, and starts again after the last. A word whose first product is being stored
 * may be removed; the next pass adds it again, and until then only misspelled queries miss it.
 */
const REMOVE_WORDS: Statement = {
  name: "remove-words-without-product",
  text: `WITH checked AS MATERIALIZED (SELECT word FROM product_words WHERE word > $1 ORDER BY word LIMIT ${WORDS_PER_RUN}),
    removed AS (DELETE FROM product_words w USING checked c WHERE w.word = c.word AND NOT EXISTS (
      SELECT FROM indexed_products p WHERE p.search @@ ('''=' || c.word || '''')::tsquery))
    SELECT max(word) AS last FROM checked`,
};

/** Adds catalogues of new merchants, and removes those of merchants that no account can see any more. */
export async function matchIndexesToMerchants(db: Database): Promise<void> {
  await db.query(ADD, []);
  await db.query(REMOVE_PRODUCTS, []);
  await db.query(REMOVE_INDEXES, []);
}

/**
 * Removes words that no product has any more from a part of the vocabulary.
 * @param after last word of the previous run, or "" for the first
 * @returns the last word checked; "" after the last word of all
 */
export async function removeUnusedWords(db: Database, after: string): Promise<string> {
  const [row] = await db.query<{ last: string | null }>(REMOVE_WORDS, [after]);
  return row?.last ?? "";
}

/** Claims due catalogues. A claim continues the pass in progress, or starts the next one. */
export async function claimIndexes(db: Database, count: number): Promise<ClaimedIndex[]> {
  const leaseId = randomUUID();
  const claimed = await db.query<{ id: number }>(CLAIM, [leaseId, LEASE_MS, count]);
  if (claimed.length === 0) return [];
  const rows = await db.prisma.catalogueIndex.findMany({ where: { id: { in: claimed.map(({ id }) => id) }, leaseId } });
  return rows.map((row) => ({ ...row, leaseId }));
}

/** Ends a claim. Does nothing if another node has claimed the catalogue since. */
export async function releaseIndex(
  db: Pick<Prisma.TransactionClient, "catalogueIndex">,
  { id, leaseId }: ClaimedIndex,
  data: Prisma.CatalogueIndexUpdateManyMutationInput,
): Promise<boolean> {
  const released = { leaseId: null, leasedUntil: null, ...data };
  return (await db.catalogueIndex.updateMany({ where: { id, leaseId }, data: released })).count > 0;
}
