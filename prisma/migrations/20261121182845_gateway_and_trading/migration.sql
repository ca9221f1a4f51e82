-- CreateTable
CREATE TABLE "gateway_calls" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "budget_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "provider" TEXT,
    "status" TEXT NOT NULL,
    "is_streamed" BOOLEAN NOT NULL,
    "prompt_tokens" INTEGER,
    "completion_tokens" INTEGER,
    "reserved_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "cost_micro_usd" BIGINT,
    "error_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_byte_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gateway_transactions" (
    "transaction_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,

    CONSTRAINT "gateway_transactions_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateTable
CREATE TABLE "trades" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "sell_token" TEXT NOT NULL,
    "sell_symbol" TEXT NOT NULL,
    "sell_decimals" INTEGER NOT NULL,
    "sell_amount_atomic" DECIMAL(78,0) NOT NULL,
    "buy_token" TEXT NOT NULL,
    "buy_symbol" TEXT NOT NULL,
    "buy_decimals" INTEGER NOT NULL,
    "buy_amount_atomic" DECIMAL(78,0) NOT NULL,
    "min_buy_atomic" DECIMAL(78,0) NOT NULL,
    "bought_atomic" DECIMAL(78,0),
    "slippage_bps" INTEGER NOT NULL,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trades_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "evm_transactions" (
    "id" TEXT NOT NULL,
    "trade_id" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "nonce" BIGINT NOT NULL,
    "purpose" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "value_atomic" DECIMAL(78,0) NOT NULL,
    "gas_limit" BIGINT NOT NULL,
    "max_fee_per_gas" DECIMAL(78,0) NOT NULL,
    "max_priority_fee" DECIMAL(78,0) NOT NULL,
    "raw_transaction" TEXT,
    "tx_hash" TEXT,
    "replaced_hashes" TEXT[],
    "signed_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),
    "check_attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "mined_at" TIMESTAMPTZ(3),

    CONSTRAINT "evm_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "gateway_calls_account_id_created_at_id_idx" ON "gateway_calls"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "gateway_calls_status_created_at_idx" ON "gateway_calls"("status", "created_at");

-- CreateIndex
CREATE INDEX "gateway_transactions_call_id_idx" ON "gateway_transactions"("call_id");

-- CreateIndex
CREATE UNIQUE INDEX "trades_transaction_id_key" ON "trades"("transaction_id");

-- CreateIndex
CREATE INDEX "trades_account_id_created_at_id_idx" ON "trades"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "trades_account_id_updated_at_id_idx" ON "trades"("account_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "evm_transactions_tx_hash_key" ON "evm_transactions"("tx_hash");

-- CreateIndex
CREATE INDEX "evm_transactions_trade_id_idx" ON "evm_transactions"("trade_id");

-- CreateIndex
CREATE INDEX "evm_transactions_next_check_at_idx" ON "evm_transactions"("next_check_at");

-- CreateIndex
CREATE UNIQUE INDEX "evm_transactions_wallet_id_network_nonce_key" ON "evm_transactions"("wallet_id", "network", "nonce");

-- AddForeignKey
ALTER TABLE "gateway_calls" ADD CONSTRAINT "gateway_calls_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gateway_transactions" ADD CONSTRAINT "gateway_transactions_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "gateway_calls"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trades" ADD CONSTRAINT "trades_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evm_transactions" ADD CONSTRAINT "evm_transactions_trade_id_fkey" FOREIGN KEY ("trade_id") REFERENCES "trades"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
