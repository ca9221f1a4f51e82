-- DropIndex
DROP INDEX "webhook_deliveries_endpoint_id_next_attempt_at_idx";

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "failed_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "retry_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_next_attempt_at_id_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at", "id") WHERE ("next_attempt_at" IS NOT NULL);
