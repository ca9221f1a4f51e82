-- AlterTable
ALTER TABLE "checkout_artifacts" ADD COLUMN     "removed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN     "removal" JSONB;

-- CreateTable
CREATE TABLE "retention_progress" (
    "rule" TEXT NOT NULL,
    "position" TEXT NOT NULL,

    CONSTRAINT "retention_progress_pkey" PRIMARY KEY ("rule")
);

-- CreateIndex
CREATE INDEX "checkout_artifacts_created_at_idx" ON "checkout_artifacts"("created_at") WHERE ("removed_at" IS NULL);

-- CreateIndex
CREATE INDEX "checkout_orders_retention_idx" ON "checkout_orders"("completed_at") WHERE (removal IS NULL AND completed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "declined_payments_retention_idx" ON "declined_payments"("created_at") WHERE (resource ~ '[?#]' OR message ~ '://\S*[?#]');

-- CreateIndex
CREATE INDEX "event_feeds_read_at_idx" ON "event_feeds"("read_at");

-- CreateIndex
CREATE INDEX "mail_attachments_unused_idx" ON "mail_attachments"("created_at") WHERE ("message_id" IS NULL AND "draft_id" IS NULL);

-- CreateIndex
CREATE INDEX "mail_drafts_updated_at_idx" ON "mail_drafts"("updated_at");

-- CreateIndex
CREATE INDEX "payment_cards_retention_idx" ON "payment_cards"("removed_at") WHERE (removed_at IS NOT NULL AND cardholder_name <> '');

-- CreateIndex
CREATE INDEX "purchase_tokens_retention_idx" ON "purchase_tokens"("expires_at") WHERE (merchant_url ~ '[?#]');

-- CreateIndex
CREATE INDEX "sessions_ended_idx" ON "sessions"((least("expires_at", "revoked_at")));
