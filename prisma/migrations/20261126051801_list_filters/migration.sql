-- DropIndex
DROP INDEX "gateway_calls_status_created_at_idx";

-- DropIndex
DROP INDEX "purchase_tokens_account_id_created_at_idx";

-- DropIndex
DROP INDEX "webhook_deliveries_endpoint_id_next_attempt_at_idx";

-- DropIndex
DROP INDEX "webhook_deliveries_next_attempt_at_idx";

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN "event_type" TEXT;
UPDATE "webhook_deliveries" SET "event_type" = "account_events"."type" FROM "account_events" WHERE "account_events"."id" = "webhook_deliveries"."event_id";
ALTER TABLE "webhook_deliveries" ALTER COLUMN "event_type" SET NOT NULL;

-- Indexes on expressions, which Prisma does not represent: a null counts as empty text, and only payments of applications are
-- in the second one. A page reads the combinations of the filters' values and merges their rows, newest first.
CREATE INDEX "transactions_filters_idx" ON "transactions"("account_id", "type", "status", coalesce("network", ''), "created_at" DESC, "id" DESC);
CREATE INDEX "transactions_grant_created_at_id_idx" ON "transactions"(("budget_ids"[2]), "created_at" DESC, "id" DESC) WHERE "budget_ids"[2] LIKE 'grt\_%';
CREATE INDEX "checkout_orders_filters_idx" ON "checkout_orders"("account_id", "status", "kind", "is_test", coalesce("merchant_id", ''), "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "account_events_account_id_type_recorded_at_id_idx" ON "account_events"("account_id", "type", "recorded_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "gateway_calls_account_id_model_status_created_at_id_idx" ON "gateway_calls"("account_id", "model", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "gateway_calls_created_at_idx" ON "gateway_calls"("created_at") WHERE ("status" = 'pending');

-- CreateIndex
CREATE INDEX "purchase_tokens_account_id_created_at_id_idx" ON "purchase_tokens"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "purchase_tokens_account_id_network_created_at_id_idx" ON "purchase_tokens"("account_id", "network", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "trades_account_id_status_created_at_id_idx" ON "trades"("account_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_next_attempt_at_idx" ON "webhook_deliveries"("next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_next_attempt_at_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_status_event_type_created_at_idx" ON "webhook_deliveries"("endpoint_id", "status", "event_type", "created_at" DESC, "id" DESC);
