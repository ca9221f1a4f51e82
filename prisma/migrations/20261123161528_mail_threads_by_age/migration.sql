-- CreateIndex
CREATE INDEX "mail_threads_last_message_at_idx" ON "mail_threads"("last_message_at");
