-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "device_grant" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "oauth_requests" ADD COLUMN     "device_code_hash" BYTEA,
ADD COLUMN     "last_polled_at" TIMESTAMPTZ(3),
ADD COLUMN     "poll_interval_seconds" INTEGER,
ADD COLUMN     "requester_address" TEXT,
ADD COLUMN     "user_code" TEXT,
ALTER COLUMN "redirect_uri" DROP NOT NULL,
ALTER COLUMN "state" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "oauth_requests_device_code_hash_key" ON "oauth_requests"("device_code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_requests_user_code_key" ON "oauth_requests"("user_code");
