-- CreateTable
CREATE TABLE "account_exports" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "rows_total" INTEGER,
    "rows_done" INTEGER NOT NULL DEFAULT 0,
    "size_bytes" BIGINT,
    "wrapped_data_key" BYTEA NOT NULL,
    "kek_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_exports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_export_chunks" (
    "export_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "sealed_bytes" BYTEA NOT NULL,

    CONSTRAINT "account_export_chunks_pkey" PRIMARY KEY ("export_id","attempt","position")
);

-- CreateTable
CREATE TABLE "account_deletions" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "acknowledged" JSONB NOT NULL,
    "waiting_for" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_deletions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "free_credit_claims" (
    "address_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "free_credit_claims_pkey" PRIMARY KEY ("address_hash")
);

-- CreateIndex
CREATE INDEX "account_exports_account_id_created_at_id_idx" ON "account_exports"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "account_exports_account_id_updated_at_id_idx" ON "account_exports"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "account_exports_due_idx" ON "account_exports"("created_at") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "account_exports_expires_at_idx" ON "account_exports"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "account_exports_running_key" ON "account_exports"("account_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "account_deletions_account_id_created_at_idx" ON "account_deletions"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "account_deletions_next_attempt_at_idx" ON "account_deletions"("next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "account_deletions_active_key" ON "account_deletions"("account_id") WHERE ("cancelled_at" IS NULL);

-- CreateIndex
CREATE INDEX "free_credit_claims_created_at_idx" ON "free_credit_claims"("created_at");

-- AddForeignKey
ALTER TABLE "account_export_chunks" ADD CONSTRAINT "account_export_chunks_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "account_exports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
