-- Trigrams find misspelled words. The extension is part of PostgreSQL's contrib modules, and trusted: the owner of the database
-- may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateTable
CREATE TABLE "catalogue_indexes" (
    "id" SERIAL NOT NULL,
    "host" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "rail" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "source" TEXT,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "pass" INTEGER NOT NULL DEFAULT 0,
    "cursor" JSONB,
    "product_count" INTEGER NOT NULL DEFAULT 0,
    "request_count" INTEGER NOT NULL DEFAULT 0,
    "unchanged_count" INTEGER NOT NULL DEFAULT 0,
    "pass_started_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "attempted_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_id" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,

    CONSTRAINT "catalogue_indexes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "catalogue_pages" (
    "index_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "listed_pass" INTEGER NOT NULL,
    "read_pass" INTEGER NOT NULL DEFAULT 0,
    "etag" TEXT,
    "last_modified" TEXT,

    CONSTRAINT "catalogue_pages_pkey" PRIMARY KEY ("index_id","url")
);

-- CreateTable
CREATE TABLE "indexed_products" (
    "id" BIGSERIAL NOT NULL,
    "index_id" INTEGER NOT NULL,
    "product_id" TEXT NOT NULL,
    "market" TEXT NOT NULL DEFAULT '',
    "other_markets" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "page" TEXT NOT NULL,
    "pass" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "vendor" TEXT,
    "sku" TEXT NOT NULL,
    "variant_title" TEXT,
    "price_minor" BIGINT NOT NULL,
    "compare_at_minor" BIGINT,
    "currency" TEXT NOT NULL,
    "available" BOOLEAN NOT NULL,
    "image_url" TEXT,
    "product_url" TEXT NOT NULL,
    "price_band" INTEGER NOT NULL,
    "search" tsvector NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "indexed_products_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 85);

-- CreateTable
CREATE TABLE "product_words" (
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "product_words_pkey" PRIMARY KEY ("word")
);

-- CreateIndex
CREATE UNIQUE INDEX "catalogue_indexes_host_key" ON "catalogue_indexes"("host");

-- CreateIndex
CREATE INDEX "catalogue_indexes_due_at_attempted_at_idx" ON "catalogue_indexes"("due_at", "attempted_at");

-- CreateIndex
CREATE INDEX "indexed_products_index_id_page_idx" ON "indexed_products"("index_id", "page");

-- CreateIndex
CREATE INDEX "indexed_products_search_idx" ON "indexed_products" USING GIN ("search") WITH (fastupdate = off);

-- CreateIndex
CREATE UNIQUE INDEX "indexed_products_index_id_product_id_market_key" ON "indexed_products"("index_id", "product_id", "market");

-- CreateIndex
CREATE INDEX "product_words_word_idx" ON "product_words" USING GIN ("word" gin_trgm_ops);

-- AddForeignKey
ALTER TABLE "catalogue_pages" ADD CONSTRAINT "catalogue_pages_index_id_fkey" FOREIGN KEY ("index_id") REFERENCES "catalogue_indexes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "indexed_products" ADD CONSTRAINT "indexed_products_index_id_fkey" FOREIGN KEY ("index_id") REFERENCES "catalogue_indexes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
