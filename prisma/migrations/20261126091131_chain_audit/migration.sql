-- CreateTable
CREATE TABLE "chain_audit_networks" (
    "network" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "block_at" TIMESTAMPTZ(3) NOT NULL,
    "head_number" BIGINT NOT NULL,
    "start_number" BIGINT NOT NULL,
    "start_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_until" TIMESTAMPTZ(3) NOT NULL,
    "assets" TEXT[],
    "last_wallet_id" TEXT NOT NULL DEFAULT '',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chain_audit_networks_pkey" PRIMARY KEY ("network")
);

-- CreateTable
CREATE TABLE "chain_audit_checkpoints" (
    "network" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "block_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_audit_checkpoints_pkey" PRIMARY KEY ("network","block_number")
);

-- CreateTable
CREATE TABLE "chain_audit_accounts" (
    "network" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "last_signature" TEXT,
    "slot" BIGINT NOT NULL DEFAULT 0,
    "complete_until" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "chain_audit_accounts_pkey" PRIMARY KEY ("network","wallet_id")
);

-- CreateTable
CREATE TABLE "chain_transfers" (
    "network" TEXT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "counterparty" TEXT NOT NULL,
    "amount_atomic" DECIMAL(78,0) NOT NULL,
    "block_number" BIGINT NOT NULL,
    "transaction_id" TEXT,

    CONSTRAINT "chain_transfers_pkey" PRIMARY KEY ("network","tx_hash","log_index","wallet_id","direction")
);

-- CreateTable
CREATE TABLE "chain_audit_balances" (
    "network" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "opening_atomic" DECIMAL(78,0) DEFAULT 0,
    "in_atomic" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "out_atomic" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "chain_audit_balances_pkey" PRIMARY KEY ("network","wallet_id","asset")
);

-- CreateTable
CREATE TABLE "chain_differences" (
    "id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "tx_hash" TEXT,
    "transaction_id" TEXT,
    "chain_atomic" DECIMAL(78,0) NOT NULL,
    "ledger_atomic" DECIMAL(78,0) NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolved_at" TIMESTAMPTZ(3),
    "notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "chain_differences_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "chain_audit_accounts_network_checked_at_idx" ON "chain_audit_accounts"("network", "checked_at");

-- CreateIndex
CREATE INDEX "chain_transfers_network_block_number_idx" ON "chain_transfers"("network", "block_number");

-- CreateIndex
CREATE INDEX "chain_transfers_transaction_id_idx" ON "chain_transfers"("transaction_id");

-- CreateIndex
CREATE INDEX "chain_transfers_unassigned_idx" ON "chain_transfers"("network", "direction", "block_number") WHERE ("transaction_id" IS NULL);

-- CreateIndex
CREATE INDEX "chain_differences_found_at_id_idx" ON "chain_differences"("found_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "chain_differences_open_key" ON "chain_differences"("network", "kind", "subject") WHERE ("resolved_at" IS NULL);

-- CreateIndex
CREATE INDEX "transactions_settled_at_id_idx" ON "transactions"("settled_at", "id") WHERE ("status" = 'settled');
