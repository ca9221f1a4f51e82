-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN     "person_needed_until" TIMESTAMPTZ(3);
