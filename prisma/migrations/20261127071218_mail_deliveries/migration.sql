-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "envelope_to" TEXT,
ADD COLUMN     "reply_to_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "report" JSONB;

-- CreateTable
CREATE TABLE "mail_deliveries" (
    "id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "return_key" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "accepted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_suppressions" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mail_deliveries_return_key_key" ON "mail_deliveries"("return_key");

-- CreateIndex
CREATE INDEX "mail_deliveries_account_id_idx" ON "mail_deliveries"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "mail_deliveries_message_id_address_key" ON "mail_deliveries"("message_id", "address");

-- CreateIndex
CREATE UNIQUE INDEX "mail_suppressions_account_id_address_key" ON "mail_suppressions"("account_id", "address");

-- AddForeignKey
ALTER TABLE "mail_deliveries" ADD CONSTRAINT "mail_deliveries_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "mail_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_deliveries" ADD CONSTRAINT "mail_deliveries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
