-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "is_listed_for_review" BOOLEAN NOT NULL DEFAULT true;

UPDATE "oauth_clients" SET "is_listed_for_review" = false WHERE "registration" <> 'owner' AND "status" = 'pending_approval';

-- CreateIndex
CREATE INDEX "merchant_catalogues_read_at_id_idx" ON "merchant_catalogues"("read_at" DESC, "id");

-- CreateIndex
CREATE INDEX "oauth_clients_is_listed_for_review_status_status_changed_at_idx" ON "oauth_clients"("is_listed_for_review", "status", "status_changed_at", "id");

-- CreateIndex
CREATE INDEX "oauth_clients_registration_status_status_changed_at_id_idx" ON "oauth_clients"("registration", "status", "status_changed_at", "id");

-- CreateIndex
CREATE INDEX "oauth_grants_account_id_revoked_at_created_at_id_idx" ON "oauth_grants"("account_id", "revoked_at" DESC, "created_at" DESC, "id" DESC);
