-- AlterTable
ALTER TABLE "credits" ADD COLUMN     "granted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "free_credit_days" (
    "day" DATE NOT NULL,
    "granted_micro_usd" BIGINT NOT NULL,

    CONSTRAINT "free_credit_days_pkey" PRIMARY KEY ("day")
);

-- Existing accounts have received their free credit.
UPDATE "credits" SET "granted_at" = (SELECT "created_at" FROM "accounts" WHERE "id" = "account_id");
