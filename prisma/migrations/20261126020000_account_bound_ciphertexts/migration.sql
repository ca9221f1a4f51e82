-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "is_account_bound" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN     "is_account_bound" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "payment_cards" ADD COLUMN     "is_account_bound" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "wallets" ADD COLUMN     "is_account_bound" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "is_account_bound" BOOLEAN NOT NULL DEFAULT false;
