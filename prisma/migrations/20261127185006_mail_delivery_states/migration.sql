-- DropIndex
DROP INDEX "mail_deliveries_account_id_idx";

-- AlterTable
ALTER TABLE "mail_deliveries" ADD COLUMN     "bounced_at" TIMESTAMPTZ(3),
ADD COLUMN     "complained_at" TIMESTAMPTZ(3),
ADD COLUMN     "deferred_at" TIMESTAMPTZ(3),
ADD COLUMN     "delivered_at" TIMESTAMPTZ(3),
ADD COLUMN     "failed_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "mail_deliveries_account_id_updated_at_id_idx" ON "mail_deliveries"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "mail_messages_sent_message_id_idx" ON "mail_messages"("message_id_header") WHERE ("direction" = 'outbound');
