-- Merchants, catalogues and recipes from an exploration belong to the account that explored first. Those of the pool are
-- the operator's: the service writes them from its configuration at start-up.

ALTER TABLE "merchants" ADD COLUMN "account_id" UUID, ADD COLUMN "pooled_domain" TEXT;
ALTER TABLE "checkout_recipes" ADD COLUMN "account_id" UUID, ADD COLUMN "is_configured" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "checkout_orders" ADD COLUMN "card_entry" JSONB;
DROP INDEX "merchants_domain_key";

CREATE TEMPORARY TABLE first_explorers ON COMMIT DROP AS
  SELECT DISTINCT ON (merchant_id) merchant_id, account_id FROM checkout_orders
  WHERE kind = 'explored' AND status = 'explored' AND merchant_id IS NOT NULL
  ORDER BY merchant_id, created_at, id;

-- What an exploration may have set at a pooled merchant is reset. The configuration is written again at start-up.
UPDATE merchants SET pooled_domain = domain, onboarded_at = NULL, ships_to = '{}', supports_pickup = false,
  tax_policy = 'unknown', logo_url = NULL
WHERE is_pooled;
UPDATE merchants m SET account_id = e.account_id FROM first_explorers e WHERE e.merchant_id = m.id AND NOT m.is_pooled;
-- Without an owner, nobody sees it.
UPDATE merchants SET onboarded_at = NULL WHERE account_id IS NULL AND pooled_domain IS NULL;

-- Other accounts with orders at such a merchant receive a record of their own, to explore again.
CREATE TEMPORARY TABLE merchant_copies ON COMMIT DROP AS
  SELECT o.merchant_id, o.account_id, 'mer_' || (extract(epoch FROM now()) * 1000)::bigint || '_' ||
    substr(md5(o.merchant_id || o.account_id::text || random()::text), 1, 12) AS id
  FROM checkout_orders o JOIN merchants m ON m.id = o.merchant_id
  WHERE m.pooled_domain IS NULL AND m.account_id IS DISTINCT FROM o.account_id
  GROUP BY o.merchant_id, o.account_id;
INSERT INTO merchants (id, account_id, name, domain, url, rail, is_test, currency, country_code, logo_url, ships_to,
    supports_pickup, tax_policy, is_pooled)
  SELECT c.id, c.account_id, m.name, m.domain, m.url, m.rail, m.is_test, m.currency, m.country_code, m.logo_url, m.ships_to,
    m.supports_pickup, m.tax_policy, false
  FROM merchant_copies c JOIN merchants m ON m.id = c.merchant_id;
UPDATE checkout_orders o SET merchant_id = c.id FROM merchant_copies c
WHERE c.merchant_id = o.merchant_id AND c.account_id = o.account_id;

CREATE TABLE "merchant_catalogues" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "account_id" UUID,
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    "vetted_at" TIMESTAMPTZ(3),
    "vetted_by_id" UUID,
    "attempted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_catalogues_pkey" PRIMARY KEY ("id")
);
INSERT INTO merchant_catalogues (id, merchant_id, account_id, read_at)
  SELECT replace(m.id, 'mer_', 'cat_'), m.id, e.account_id, coalesce(m.catalogue_read_at, m.updated_at)
  FROM merchants m JOIN first_explorers e ON e.merchant_id = m.id;

ALTER TABLE "merchant_products" ADD COLUMN "catalogue_id" TEXT;
UPDATE merchant_products p SET catalogue_id = c.id FROM merchant_catalogues c WHERE c.merchant_id = p.merchant_id;
DELETE FROM merchant_products WHERE catalogue_id IS NULL;
ALTER TABLE "merchant_products" DROP CONSTRAINT "merchant_products_merchant_id_fkey";
ALTER TABLE "merchant_products" DROP CONSTRAINT "merchant_products_pkey",
DROP COLUMN "merchant_id",
ALTER COLUMN "catalogue_id" SET NOT NULL,
ADD CONSTRAINT "merchant_products_pkey" PRIMARY KEY ("catalogue_id", "sku");

-- Recipes of a merchant that several accounts explored may contain what any of them found, so none is retained.
UPDATE checkout_recipes r SET account_id = e.account_id FROM first_explorers e
WHERE e.merchant_id = r.merchant_id AND NOT EXISTS (
  SELECT 1 FROM checkout_orders o JOIN merchants m ON m.id = o.merchant_id
  WHERE m.domain = (SELECT domain FROM merchants WHERE id = r.merchant_id)
    AND o.kind = 'explored' AND o.status = 'explored' AND o.account_id <> e.account_id
);
DELETE FROM checkout_recipes WHERE account_id IS NULL;

-- Orders in progress: the card may be entered on the merchant's own pages, or in a known processor's frame.
UPDATE checkout_orders o SET card_entry = jsonb_build_object('pageOrigins', jsonb_build_array(m.url), 'frameOrigins', NULL)
FROM merchants m
WHERE m.id = o.merchant_id AND o.kind = 'purchase' AND o.status IN ('pending', 'dispatched', 'approval_required');
-- Approvals without these origins are no longer valid.
UPDATE checkout_approvals SET expires_at = now() WHERE status IN ('pending', 'approved') AND expires_at > now();

ALTER TABLE "merchants" DROP COLUMN "catalogue_read_at", DROP COLUMN "is_pooled";

CREATE INDEX "merchant_catalogues_read_at_attempted_at_idx" ON "merchant_catalogues"("read_at", "attempted_at");
CREATE UNIQUE INDEX "merchant_catalogues_merchant_id_account_id_key" ON "merchant_catalogues"("merchant_id", "account_id");
CREATE UNIQUE INDEX "merchants_pooled_domain_key" ON "merchants"("pooled_domain");
CREATE INDEX "merchants_domain_idx" ON "merchants"("domain");
CREATE UNIQUE INDEX "merchants_account_id_domain_key" ON "merchants"("account_id", "domain");

ALTER TABLE "merchants" ADD CONSTRAINT "merchants_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "merchant_catalogues" ADD CONSTRAINT "merchant_catalogues_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "merchant_catalogues" ADD CONSTRAINT "merchant_catalogues_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "merchant_products" ADD CONSTRAINT "merchant_products_catalogue_id_fkey" FOREIGN KEY ("catalogue_id") REFERENCES "merchant_catalogues"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "checkout_recipes" ADD CONSTRAINT "checkout_recipes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
