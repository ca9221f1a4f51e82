-- DropIndex
DROP INDEX "transactions_account_id_idempotency_key_key";

-- DropIndex
DROP INDEX "transactions_next_check_at_idx";

-- DropIndex
DROP INDEX "transactions_permit_slot_key";

-- DropIndex
DROP INDEX "transactions_purchase_token_id_key";

-- CreateIndex
CREATE INDEX "transactions_next_check_at_idx" ON "transactions"("next_check_at") WHERE ("next_check_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "transactions_account_id_idempotency_key_key" ON "transactions"("account_id", "idempotency_key") WHERE ("idempotency_key" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "transactions_permit_slot_key" ON "transactions"("permit_slot") WHERE ("permit_slot" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "transactions_purchase_token_id_key" ON "transactions"("purchase_token_id") WHERE ("purchase_token_id" IS NOT NULL);
