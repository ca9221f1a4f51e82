-- CreateIndex
CREATE INDEX "checkout_orders_waiting_idx" ON "checkout_orders"("account_id", "kind", "created_at") WHERE (worker_job_id IS NULL AND (status = 'pending' OR status = 'dispatched'));

-- CreateIndex
CREATE INDEX "checkout_orders_account_id_started_at_idx" ON "checkout_orders"("account_id", "started_at") WHERE ("started_at" IS NOT NULL);
