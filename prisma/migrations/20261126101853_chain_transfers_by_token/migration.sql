-- DropIndex
DROP INDEX "chain_transfers_unassigned_idx";

-- CreateIndex
CREATE INDEX "chain_transfers_unassigned_idx" ON "chain_transfers"("network", "direction", "asset", "block_number") WHERE ("transaction_id" IS NULL);
