-- DropIndex
DROP INDEX "account_events_account_id_created_at_id_idx";

-- DropIndex
DROP INDEX "account_events_created_at_idx";

-- AlterTable
ALTER TABLE "account_events" ADD COLUMN     "recorded_at" TIMESTAMPTZ(3) NOT NULL,
ALTER COLUMN "created_at" DROP DEFAULT;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "last_attempt_at" TIMESTAMPTZ(3);

-- DropTable
DROP TABLE "event_positions";

-- CreateTable
CREATE TABLE "event_feeds" (
    "account_id" UUID NOT NULL,
    "collected_until" TIMESTAMPTZ(3) NOT NULL,
    "last_recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_feeds_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "account_events_account_id_recorded_at_id_idx" ON "account_events"("account_id", "recorded_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "account_events_recorded_at_idx" ON "account_events"("recorded_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_next_attempt_at_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- AddForeignKey
ALTER TABLE "event_feeds" ADD CONSTRAINT "event_feeds_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
