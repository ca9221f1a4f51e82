-- AlterTable
ALTER TABLE "gateway_calls" ADD COLUMN "cached_prompt_tokens" INTEGER,
ADD COLUMN "is_estimated" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "gateway_provider_ids" (
    "account_id" UUID NOT NULL,
    "id_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gateway_provider_ids_pkey" PRIMARY KEY ("account_id", "id_hash")
);

-- CreateIndex
CREATE INDEX "gateway_provider_ids_created_at_idx" ON "gateway_provider_ids"("created_at");

-- AddForeignKey
ALTER TABLE "gateway_provider_ids" ADD CONSTRAINT "gateway_provider_ids_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
