-- CreateIndex
CREATE INDEX "budgets_closed_idx" ON "budgets"("id") WHERE ("closed_at" IS NOT NULL);
