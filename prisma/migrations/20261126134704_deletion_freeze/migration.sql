-- AlterTable
ALTER TABLE "account_deletions" ADD COLUMN     "freeze_id" TEXT;

-- CreateIndex
CREATE INDEX "administrator_proposals_subject_account_id_created_at_id_idx" ON "administrator_proposals"("subject_account_id", "created_at", "id");
