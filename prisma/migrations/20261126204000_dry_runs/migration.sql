-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN     "dry_run" JSONB;
