-- AlterTable
ALTER TABLE "gateway_calls" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "gateway_calls_account_id_updated_at_id_idx" ON "gateway_calls"("account_id", "updated_at", "id");
