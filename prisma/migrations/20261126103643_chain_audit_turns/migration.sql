-- DropIndex
DROP INDEX "chain_audit_accounts_network_checked_at_idx";

-- AlterTable
ALTER TABLE "chain_audit_accounts" ADD COLUMN     "attempted_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "chain_audit_accounts_network_attempted_at_idx" ON "chain_audit_accounts"("network", "attempted_at");
