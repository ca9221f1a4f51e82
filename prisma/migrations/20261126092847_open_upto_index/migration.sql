-- CreateIndex
CREATE INDEX "transactions_open_upto_idx" ON "transactions"("account_id") WHERE ("scheme" = 'upto' AND "next_check_at" IS NOT NULL);
