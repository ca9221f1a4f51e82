-- DropIndex
DROP INDEX "agents_next_check_at_idx";

-- DropIndex
DROP INDEX "evm_transactions_next_check_at_idx";

-- DropIndex
DROP INDEX "mail_messages_next_attempt_at_idx";

-- DropIndex
DROP INDEX "permit_revocations_next_check_at_idx";

-- CreateIndex
CREATE INDEX "agent_transactions_signed_idx" ON "agent_transactions"("agent_id") WHERE ("status" = 'signed');

-- CreateIndex
CREATE INDEX "agents_network_next_check_at_idx" ON "agents"("network", "next_check_at") WHERE ("next_check_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "evm_transactions_wallet_id_next_check_at_idx" ON "evm_transactions"("wallet_id", "next_check_at") WHERE ("next_check_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "mail_messages_account_id_next_attempt_at_idx" ON "mail_messages"("account_id", "next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "permit_revocations_account_id_next_check_at_idx" ON "permit_revocations"("account_id", "next_check_at") WHERE ("next_check_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "transactions_account_id_next_check_at_idx" ON "transactions"("account_id", "next_check_at") WHERE ("next_check_at" IS NOT NULL);
