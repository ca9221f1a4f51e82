-- AlterTable
ALTER TABLE "checkout_orders" ADD COLUMN "billing_uses_ship_to" BOOLEAN;

-- CreateIndex
CREATE INDEX "checkout_orders_billing_use_idx" ON "checkout_orders"("merchant_id", "created_at" DESC) WHERE (billing_uses_ship_to IS NOT NULL);
