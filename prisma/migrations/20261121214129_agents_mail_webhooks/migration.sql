-- CreateTable
CREATE TABLE "agents" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "registry_address" TEXT NOT NULL,
    "agent_id" BIGINT,
    "is_wallet_linked" BOOLEAN NOT NULL DEFAULT false,
    "holder_public_jwk" JSONB NOT NULL,
    "sealed_holder_key" BYTEA NOT NULL,
    "wrapped_data_key" BYTEA NOT NULL,
    "kek_id" TEXT NOT NULL,
    "registered_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,
    "next_check_at" TIMESTAMPTZ(3),
    "check_attempts" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_transactions" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "nonce" BIGINT NOT NULL,
    "raw_transaction" TEXT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "mined_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_credentials" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sd_jwt" TEXT NOT NULL,
    "status_list_id" INTEGER NOT NULL,
    "status_index" INTEGER NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_disputes" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "transaction_id" TEXT,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_disputes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mailboxes" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailboxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_threads" (
    "id" TEXT NOT NULL,
    "mailbox_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_threads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_messages" (
    "id" TEXT NOT NULL,
    "mailbox_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "thread_id" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "from_name" TEXT NOT NULL,
    "to_addresses" TEXT[],
    "cc_addresses" TEXT[],
    "reply_to_address" TEXT,
    "subject" TEXT NOT NULL,
    "body_text" TEXT NOT NULL,
    "extracted_text" TEXT NOT NULL,
    "body_html" TEXT,
    "message_id_header" TEXT NOT NULL,
    "in_reply_to" TEXT,
    "references" TEXT[],
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "automated" TEXT,
    "spf_result" TEXT,
    "dkim_result" TEXT,
    "dmarc_result" TEXT,
    "authentication" JSONB,
    "size_bytes" INTEGER NOT NULL,
    "envelope_from" TEXT,
    "remote_address" TEXT,
    "replies_to_id" TEXT,
    "provider_message_id" TEXT,
    "failure_reason" TEXT,
    "send_attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "request_sha256" BYTEA,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search" tsvector,

    CONSTRAINT "mail_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_attachments" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "message_id" TEXT,
    "draft_id" TEXT,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "content_id" TEXT,
    "is_inline" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_attachment_chunks" (
    "attachment_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "mail_attachment_chunks_pkey" PRIMARY KEY ("attachment_id","position")
);

-- CreateTable
CREATE TABLE "mail_drafts" (
    "id" TEXT NOT NULL,
    "mailbox_id" TEXT NOT NULL,
    "to_addresses" TEXT[],
    "cc_addresses" TEXT[],
    "subject" TEXT NOT NULL,
    "body_text" TEXT NOT NULL,
    "replies_to_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_drafts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_rules" (
    "id" TEXT NOT NULL,
    "mailbox_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "pattern" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_events" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "event_types" TEXT[],
    "sealed_secrets" BYTEA NOT NULL,
    "wrapped_data_key" BYTEA NOT NULL,
    "kek_id" TEXT NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_positions" (
    "source" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "row_id" TEXT NOT NULL,

    CONSTRAINT "event_positions_pkey" PRIMARY KEY ("source")
);

-- CreateIndex
CREATE UNIQUE INDEX "agents_account_id_key" ON "agents"("account_id");

-- CreateIndex
CREATE INDEX "agents_next_check_at_idx" ON "agents"("next_check_at");

-- CreateIndex
CREATE UNIQUE INDEX "agents_network_registry_address_agent_id_key" ON "agents"("network", "registry_address", "agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_transactions_tx_hash_key" ON "agent_transactions"("tx_hash");

-- CreateIndex
CREATE INDEX "agent_transactions_agent_id_created_at_idx" ON "agent_transactions"("agent_id", "created_at");

-- CreateIndex
CREATE INDEX "agent_credentials_agent_id_kind_issued_at_idx" ON "agent_credentials"("agent_id", "kind", "issued_at");

-- CreateIndex
CREATE INDEX "agent_credentials_expires_at_idx" ON "agent_credentials"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "agent_credentials_status_list_id_status_index_key" ON "agent_credentials"("status_list_id", "status_index");

-- CreateIndex
CREATE INDEX "agent_disputes_agent_id_opened_at_idx" ON "agent_disputes"("agent_id", "opened_at");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_account_id_key" ON "mailboxes"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_agent_id_key" ON "mailboxes"("agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_address_key" ON "mailboxes"("address");

-- CreateIndex
CREATE INDEX "mail_threads_mailbox_id_last_message_at_id_idx" ON "mail_threads"("mailbox_id", "last_message_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mail_messages_mailbox_id_created_at_id_idx" ON "mail_messages"("mailbox_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mail_messages_thread_id_created_at_id_idx" ON "mail_messages"("thread_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "mail_messages_mailbox_id_message_id_header_idx" ON "mail_messages"("mailbox_id", "message_id_header");

-- CreateIndex
CREATE INDEX "mail_messages_account_id_updated_at_id_idx" ON "mail_messages"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "mail_messages_next_attempt_at_idx" ON "mail_messages"("next_attempt_at");

-- CreateIndex
CREATE INDEX "mail_messages_created_at_idx" ON "mail_messages"("created_at");

-- CreateIndex
CREATE INDEX "mail_messages_search_idx" ON "mail_messages" USING GIN ("search");

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_mailbox_id_direction_message_id_header_from_a_key" ON "mail_messages"("mailbox_id", "direction", "message_id_header", "from_address");

-- CreateIndex
CREATE INDEX "mail_attachments_message_id_idx" ON "mail_attachments"("message_id");

-- CreateIndex
CREATE INDEX "mail_attachments_draft_id_idx" ON "mail_attachments"("draft_id");

-- CreateIndex
CREATE INDEX "mail_attachments_created_at_idx" ON "mail_attachments"("created_at");

-- CreateIndex
CREATE INDEX "mail_drafts_mailbox_id_updated_at_id_idx" ON "mail_drafts"("mailbox_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "mail_rules_mailbox_id_action_pattern_key" ON "mail_rules"("mailbox_id", "action", "pattern");

-- CreateIndex
CREATE INDEX "account_events_account_id_created_at_id_idx" ON "account_events"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "account_events_created_at_idx" ON "account_events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "account_events_account_id_type_subject_id_key" ON "account_events"("account_id", "type", "subject_id");

-- CreateIndex
CREATE INDEX "webhook_endpoints_account_id_created_at_idx" ON "webhook_endpoints"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_next_attempt_at_idx" ON "webhook_deliveries"("next_attempt_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id");

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_transactions" ADD CONSTRAINT "agent_transactions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_credentials" ADD CONSTRAINT "agent_credentials_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_disputes" ADD CONSTRAINT "agent_disputes_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_threads" ADD CONSTRAINT "mail_threads_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_messages" ADD CONSTRAINT "mail_messages_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_messages" ADD CONSTRAINT "mail_messages_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_messages" ADD CONSTRAINT "mail_messages_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "mail_threads"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_attachments" ADD CONSTRAINT "mail_attachments_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "mail_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_attachments" ADD CONSTRAINT "mail_attachments_draft_id_fkey" FOREIGN KEY ("draft_id") REFERENCES "mail_drafts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_attachment_chunks" ADD CONSTRAINT "mail_attachment_chunks_attachment_id_fkey" FOREIGN KEY ("attachment_id") REFERENCES "mail_attachments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_drafts" ADD CONSTRAINT "mail_drafts_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_rules" ADD CONSTRAINT "mail_rules_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_events" ADD CONSTRAINT "account_events_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "account_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;
