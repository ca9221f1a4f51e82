-- CreateTable
CREATE TABLE "permit_revocations" (
    "id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "pay_to" TEXT NOT NULL,
    "seller_host" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "nonce" BIGINT NOT NULL,
    "raw_transaction" TEXT NOT NULL,
    "tx_hashes" TEXT[],
    "max_fee_wei" DECIMAL(78,0) NOT NULL,
    "fee_wei" DECIMAL(78,0),
    "next_check_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "permit_revocations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "permit_revocations_created_at_idx" ON "permit_revocations"("created_at");

-- CreateIndex
CREATE INDEX "permit_revocations_next_check_at_idx" ON "permit_revocations"("next_check_at") WHERE ("next_check_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "permit_revocations_pending_key" ON "permit_revocations"("transaction_id") WHERE ("status" = 'signed');

-- AddForeignKey
ALTER TABLE "permit_revocations" ADD CONSTRAINT "permit_revocations_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
