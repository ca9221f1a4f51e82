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

-- CreateIndex
CREATE INDEX "gateway_calls_created_at_idx" ON "gateway_calls"("created_at") WHERE ("status" = 'pending');

-- CreateIndex
CREATE INDEX "purchase_tokens_account_id_created_at_id_idx" ON "purchase_tokens"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_next_attempt_at_idx" ON "webhook_deliveries"("next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_next_attempt_at_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- The filters of each list. Empty text represents a null. The time is an expression, so that only these indexes have its order:
-- PostgreSQL would otherwise read the list in order and discard the rows that do not match, however many they are.
CREATE INDEX "transactions_filters_idx" ON "transactions"("account_id", "type", "status", coalesce("network", ''), ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "gateway_calls_filters_idx" ON "gateway_calls"("account_id", "model", "status", ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "trades_filters_idx" ON "trades"("account_id", "status", ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "checkout_orders_filters_idx" ON "checkout_orders"("account_id", "status", "kind", "is_test", coalesce("merchant_id", ''), ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "account_events_filters_idx" ON "account_events"("account_id", "type", ("recorded_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "webhook_deliveries_filters_idx" ON "webhook_deliveries"("endpoint_id", "status", "event_type", ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "purchase_tokens_filters_idx" ON "purchase_tokens"("account_id", "network", ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "api_tokens_filters_idx" ON "api_tokens"("account_id", ("revoked_at" IS NOT NULL), ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);
CREATE INDEX "sessions_filters_idx" ON "sessions"("account_id", ("revoked_at" IS NOT NULL), ("created_at" AT TIME ZONE 'UTC') DESC, "id" DESC);

-- The payments of an application: the grant's budget follows the account's.
CREATE INDEX "transactions_grant_created_at_id_idx" ON "transactions"(("budget_ids"[2]), "created_at" DESC, "id" DESC) WHERE "budget_ids"[2] LIKE 'grt\_%';
