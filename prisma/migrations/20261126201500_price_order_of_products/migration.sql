-- Search walks available products from the cheapest where a word is common. SKUs are compared as in the statements.
CREATE INDEX "indexed_products_price_idx" ON "indexed_products"("currency", "price_minor", "sku" COLLATE "C", "id") WHERE available;
