-- CreateTable
CREATE TABLE "checkout_quotes" (
    "account_id" UUID NOT NULL,
    "cart_sha256" BYTEA NOT NULL,
    "terms_sha256" BYTEA NOT NULL,
    "ship_to_sha256" TEXT,
    "quoted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkout_quotes_pkey" PRIMARY KEY ("account_id","cart_sha256","terms_sha256")
);

-- CreateIndex
CREATE INDEX "checkout_quotes_quoted_at_idx" ON "checkout_quotes"("quoted_at");

-- CreateIndex
CREATE INDEX "checkout_orders_bundle_sha256_completed_at_idx" ON "checkout_orders"("bundle_sha256", "completed_at");

-- AddForeignKey
ALTER TABLE "checkout_quotes" ADD CONSTRAINT "checkout_quotes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
