-- DropIndex
DROP INDEX "agent_credentials_expires_at_idx";

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "credentials_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "agent_credentials_status_list_id_revoked_at_status_index_idx" ON "agent_credentials"("status_list_id", "revoked_at", "status_index");

-- CreateIndex
CREATE INDEX "agents_status_credentials_due_at_idx" ON "agents"("status", "credentials_due_at");

-- One of each kind stands.
CREATE UNIQUE INDEX "agent_credentials_standing_key" ON "agent_credentials"("agent_id", "kind") WHERE "revoked_at" IS NULL;
