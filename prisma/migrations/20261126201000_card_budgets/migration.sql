-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN     "card_budget_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "card_budgets" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "per_order_minor" BIGINT,
    "daily_minor" BIGINT,
    "monthly_minor" BIGINT,
    "day" DATE NOT NULL,
    "day_used_minor" BIGINT NOT NULL DEFAULT 0,
    "month" DATE NOT NULL,
    "month_used_minor" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "card_budgets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "card_budgets_account_id_idx" ON "card_budgets"("account_id");

-- AddForeignKey
ALTER TABLE "card_budgets" ADD CONSTRAINT "card_budgets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
