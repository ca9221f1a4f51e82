-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "freeze_reason" TEXT,
ADD COLUMN     "frozen_at" TIMESTAMPTZ(3),
ADD COLUMN     "frozen_by" TEXT;

-- CreateTable
CREATE TABLE "service_freeze" (
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "frozen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reason" TEXT NOT NULL,

    CONSTRAINT "service_freeze_pkey" PRIMARY KEY ("is_active"),
    CONSTRAINT "service_freeze_one_row" CHECK ("is_active")
);

-- CreateTable
CREATE TABLE "account_freezes" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "frozen_by" TEXT NOT NULL,
    "reason" TEXT,
    "frozen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unfrozen_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_freezes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_freezes_account_id_updated_at_id_idx" ON "account_freezes"("account_id", "updated_at", "id");

-- AddForeignKey
ALTER TABLE "account_freezes" ADD CONSTRAINT "account_freezes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddCheck
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_frozen_by" CHECK (("frozen_at" IS NULL) = ("frozen_by" IS NULL));
