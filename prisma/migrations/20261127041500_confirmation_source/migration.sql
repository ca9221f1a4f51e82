-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN     "user_confirmation_source" TEXT;
