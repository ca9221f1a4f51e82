-- AlterTable
ALTER TABLE "administrator_acts" ADD COLUMN     "proposal_id" TEXT;

-- AlterTable
ALTER TABLE "agent_disputes" ADD COLUMN     "closed_by" TEXT,
ADD COLUMN     "opened_by" TEXT;

-- CreateTable
CREATE TABLE "administrator_proposals" (
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "reason" TEXT,
    "subject_account_id" UUID,
    "subject_type" TEXT,
    "subject_id" TEXT,
    "proposed_by_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "administrator_proposals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_recoveries" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "slot" UUID,
    "old_email" TEXT,
    "new_email" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "started_by_id" UUID,
    "confirm_token_hash" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_recoveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "treasury_levels" (
    "network" TEXT NOT NULL,
    "native_atomic" DECIMAL(78,0) NOT NULL,
    "usdc_atomic" DECIMAL(78,0) NOT NULL,
    "is_low" BOOLEAN NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "treasury_levels_pkey" PRIMARY KEY ("network")
);

-- CreateIndex
CREATE INDEX "administrator_proposals_created_at_id_idx" ON "administrator_proposals"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "administrator_proposals_status_created_at_id_idx" ON "administrator_proposals"("status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "account_recoveries_slot_key" ON "account_recoveries"("slot");

-- CreateIndex
CREATE UNIQUE INDEX "account_recoveries_confirm_token_hash_key" ON "account_recoveries"("confirm_token_hash");

-- CreateIndex
CREATE INDEX "account_recoveries_account_id_created_at_idx" ON "account_recoveries"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "account_recoveries_effective_at_idx" ON "account_recoveries"("effective_at") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "account_recoveries_ended_at_idx" ON "account_recoveries"("ended_at");

-- CreateIndex
CREATE INDEX "accounts_created_at_id_idx" ON "accounts"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_disputes_opened_at_id_idx" ON "agent_disputes"("opened_at" DESC, "id" DESC);
