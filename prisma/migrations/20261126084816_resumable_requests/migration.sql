-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "attempt_until" TIMESTAMPTZ(3),
ADD COLUMN     "request_sha256" BYTEA;

-- CreateIndex
CREATE INDEX "transactions_request_sha256_idx" ON "transactions"("request_sha256") WHERE ("request_sha256" IS NOT NULL);
