-- CreateTable
CREATE TABLE "declined_payments" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "slot" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "resource" TEXT,
    "network" TEXT,
    "amount_micro_usd" BIGINT,
    "limit_owner" TEXT,
    "limit_period" TEXT,
    "limit_micro_usd" BIGINT,
    "remaining_micro_usd" BIGINT,
    "budget_ids" TEXT[],
    "occurrences" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_declined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "declined_payments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "declined_payments_account_id_created_at_id_idx" ON "declined_payments"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "declined_payments_created_at_idx" ON "declined_payments"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "declined_payments_account_id_hour_slot_key" ON "declined_payments"("account_id", "hour", "slot");

-- AddForeignKey
ALTER TABLE "declined_payments" ADD CONSTRAINT "declined_payments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
