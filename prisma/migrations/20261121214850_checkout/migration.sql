-- CreateTable
CREATE TABLE "merchants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "rail" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "currency" TEXT NOT NULL,
    "country_code" TEXT NOT NULL,
    "logo_url" TEXT,
    "ships_to" TEXT[],
    "supports_pickup" BOOLEAN NOT NULL DEFAULT false,
    "tax_policy" TEXT NOT NULL DEFAULT 'unknown',
    "onboarded_at" TIMESTAMPTZ(3),
    "catalogue_read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_products" (
    "merchant_id" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    "product_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "variant_title" TEXT,
    "price_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "available" BOOLEAN NOT NULL,
    "image_url" TEXT,
    "product_url" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_products_pkey" PRIMARY KEY ("merchant_id","sku")
);

-- CreateTable
CREATE TABLE "checkout_recipes" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkout_recipes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_cards" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "exp_month" INTEGER NOT NULL,
    "exp_year" INTEGER NOT NULL,
    "funding" TEXT NOT NULL,
    "cardholder_name" TEXT NOT NULL,
    "nickname" TEXT,
    "billing_address" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "default_slot" TEXT,
    "sealed_card" BYTEA NOT NULL,
    "wrapped_data_key" BYTEA NOT NULL,
    "kek_id" TEXT NOT NULL,
    "has_security_code" BOOLEAN NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_cards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_policies" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "policy_sha256" BYTEA NOT NULL,
    "signature" JSONB NOT NULL,
    "currency" TEXT NOT NULL,
    "active_slot" TEXT,
    "day" DATE NOT NULL,
    "day_used_minor" BIGINT NOT NULL DEFAULT 0,
    "month" DATE NOT NULL,
    "month_used_minor" BIGINT NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkout_policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_orders" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "merchant_id" TEXT,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "dispatch_sha256" BYTEA NOT NULL,
    "request" JSONB NOT NULL,
    "sealed_ship_to" BYTEA,
    "wrapped_data_key" BYTEA,
    "kek_id" TEXT,
    "ship_to_echo" JSONB,
    "ship_to_sha256" TEXT,
    "amount_minor" BIGINT,
    "amount_is_final" BOOLEAN NOT NULL DEFAULT false,
    "amount_charged_minor" BIGINT,
    "currency" TEXT,
    "quote" JSONB,
    "quote_sha256" TEXT,
    "card_id" TEXT,
    "user_confirmation_text" TEXT,
    "user_approved_at" TIMESTAMPTZ(3),
    "user_prompt" TEXT,
    "approval_mode" TEXT,
    "policy_id" TEXT,
    "policy_day" DATE,
    "mandate_chain" JSONB,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "worker_job_id" TEXT,
    "worker_url" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "person_needed_for" TEXT,
    "card_released_at" TIMESTAMPTZ(3),
    "submitted_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "merchant_order_number" TEXT,
    "confirmation_url" TEXT,
    "merchant_response" JSONB,
    "recipe_id" TEXT,
    "recipe_version" INTEGER,
    "browser_version" TEXT,
    "retryable" BOOLEAN,
    "retry_action" TEXT,
    "error_code" TEXT,
    "error_message" TEXT,
    "bundle_sha256" TEXT,
    "bundle_signature" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkout_orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_approvals" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "dispatch_sha256" BYTEA NOT NULL,
    "reason" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "signature" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "consumed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkout_approvals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_steps" (
    "order_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "selector" TEXT,
    "url_origin" TEXT,
    "outcome" TEXT NOT NULL,
    "screenshot_id" TEXT,

    CONSTRAINT "checkout_steps_pkey" PRIMARY KEY ("order_id","seq")
);

-- CreateTable
CREATE TABLE "checkout_artifacts" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "redactions" TEXT[],
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkout_artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "merchants_domain_key" ON "merchants"("domain");

-- CreateIndex
CREATE INDEX "merchants_onboarded_at_name_idx" ON "merchants"("onboarded_at", "name");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_recipes_merchant_id_version_key" ON "checkout_recipes"("merchant_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "payment_cards_default_slot_key" ON "payment_cards"("default_slot");

-- CreateIndex
CREATE INDEX "payment_cards_account_id_created_at_idx" ON "payment_cards"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_policies_active_slot_key" ON "checkout_policies"("active_slot");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_policies_account_id_version_key" ON "checkout_policies"("account_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_orders_worker_job_id_key" ON "checkout_orders"("worker_job_id");

-- CreateIndex
CREATE INDEX "checkout_orders_account_id_created_at_id_idx" ON "checkout_orders"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "checkout_orders_account_id_updated_at_id_idx" ON "checkout_orders"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "checkout_orders_status_created_at_idx" ON "checkout_orders"("status", "created_at");

-- CreateIndex
CREATE INDEX "checkout_orders_merchant_id_created_at_idx" ON "checkout_orders"("merchant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_orders_account_id_dispatch_sha256_key" ON "checkout_orders"("account_id", "dispatch_sha256");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_approvals_order_id_key" ON "checkout_approvals"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_approvals_token_hash_key" ON "checkout_approvals"("token_hash");

-- CreateIndex
CREATE INDEX "checkout_approvals_account_id_created_at_idx" ON "checkout_approvals"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "checkout_approvals_status_expires_at_idx" ON "checkout_approvals"("status", "expires_at");

-- CreateIndex
CREATE INDEX "checkout_artifacts_order_id_created_at_idx" ON "checkout_artifacts"("order_id", "created_at");

-- AddForeignKey
ALTER TABLE "merchant_products" ADD CONSTRAINT "merchant_products_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_recipes" ADD CONSTRAINT "checkout_recipes_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_cards" ADD CONSTRAINT "payment_cards_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_policies" ADD CONSTRAINT "checkout_policies_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_orders" ADD CONSTRAINT "checkout_orders_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_orders" ADD CONSTRAINT "checkout_orders_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_orders" ADD CONSTRAINT "checkout_orders_card_id_fkey" FOREIGN KEY ("card_id") REFERENCES "payment_cards"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_approvals" ADD CONSTRAINT "checkout_approvals_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "checkout_orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_steps" ADD CONSTRAINT "checkout_steps_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "checkout_orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_artifacts" ADD CONSTRAINT "checkout_artifacts_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "checkout_orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
