-- CreateTable
CREATE TABLE "gas_purchases" (
    "id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "trade_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "amount_wei" DECIMAL(78,0) NOT NULL,
    "price_atomic" DECIMAL(78,0) NOT NULL,
    "is_paid" BOOLEAN NOT NULL DEFAULT false,
    "nonce" BIGINT NOT NULL,
    "raw_transaction" TEXT NOT NULL,
    "tx_hashes" TEXT[],
    "max_fee_wei" DECIMAL(78,0) NOT NULL,
    "fee_wei" DECIMAL(78,0),
    "next_check_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "gas_purchases_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "gas_purchases_transaction_id_key" ON "gas_purchases"("transaction_id");

-- CreateIndex
CREATE INDEX "gas_purchases_trade_id_idx" ON "gas_purchases"("trade_id");

-- CreateIndex
CREATE INDEX "gas_purchases_created_at_idx" ON "gas_purchases"("created_at");

-- CreateIndex
CREATE INDEX "gas_purchases_account_id_next_check_at_idx" ON "gas_purchases"("account_id", "next_check_at") WHERE ("next_check_at" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "gas_purchases" ADD CONSTRAINT "gas_purchases_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gas_purchases" ADD CONSTRAINT "gas_purchases_trade_id_fkey" FOREIGN KEY ("trade_id") REFERENCES "trades"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
