-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "display_name" TEXT,
    "x402_enabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallets" (
    "id" TEXT NOT NULL,
    "account_id" UUID,
    "evm_address" TEXT NOT NULL,
    "solana_address" TEXT NOT NULL,
    "sealed_keys" BYTEA NOT NULL,
    "wrapped_data_key" BYTEA NOT NULL,
    "kek_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet_holds" (
    "wallet_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "outstanding_atomic" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "wallet_holds_pkey" PRIMARY KEY ("wallet_id","network","asset")
);

-- CreateTable
CREATE TABLE "credits" (
    "account_id" UUID NOT NULL,
    "available_micro_usd" BIGINT NOT NULL,

    CONSTRAINT "credits_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "budgets" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "per_transaction_limit_micro_usd" BIGINT,
    "daily_limit_micro_usd" BIGINT,
    "monthly_limit_micro_usd" BIGINT,
    "day" DATE NOT NULL,
    "day_used_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "month" DATE NOT NULL,
    "month_used_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" TEXT[],
    "networks" TEXT[],
    "allowed_hosts" TEXT[],
    "allowed_payees" TEXT[],
    "budget_ids" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "network" TEXT,
    "asset" TEXT,
    "amount_atomic" DECIMAL(78,0) NOT NULL,
    "settled_atomic" DECIMAL(78,0),
    "amount_micro_usd" BIGINT NOT NULL,
    "settled_micro_usd" BIGINT,
    "fee_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "budget_ids" TEXT[],
    "budget_day" DATE NOT NULL,
    "paid_from_credit" BOOLEAN NOT NULL DEFAULT false,
    "wallet_id" TEXT,
    "scheme" TEXT,
    "resource" TEXT,
    "pay_to" TEXT,
    "description" TEXT,
    "authorization" JSONB,
    "signature" TEXT,
    "nonce" TEXT,
    "permit_slot" TEXT,
    "valid_before" TIMESTAMPTZ(3),
    "tx_hash" TEXT,
    "claimed_tx_hash" TEXT,
    "next_check_at" TIMESTAMPTZ(3),
    "check_attempts" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "idempotency_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "signed_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_sha256" BYTEA NOT NULL,
    "answer" JSONB,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts"("email");

-- CreateIndex
CREATE UNIQUE INDEX "wallets_account_id_key" ON "wallets"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "wallets_evm_address_key" ON "wallets"("evm_address");

-- CreateIndex
CREATE UNIQUE INDEX "wallets_solana_address_key" ON "wallets"("solana_address");

-- CreateIndex
CREATE INDEX "budgets_account_id_idx" ON "budgets"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "api_tokens_account_id_created_at_idx" ON "api_tokens"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "transactions_permit_slot_key" ON "transactions"("permit_slot");

-- CreateIndex
CREATE INDEX "transactions_account_id_created_at_id_idx" ON "transactions"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transactions_account_id_updated_at_id_idx" ON "transactions"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "transactions_next_check_at_idx" ON "transactions"("next_check_at");

-- CreateIndex
CREATE UNIQUE INDEX "transactions_account_id_idempotency_key_key" ON "transactions"("account_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_holds" ADD CONSTRAINT "wallet_holds_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credits" ADD CONSTRAINT "credits_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
