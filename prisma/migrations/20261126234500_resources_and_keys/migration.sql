-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "require_pushed_requests" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "oauth_codes" ADD COLUMN     "dpop_jkt" TEXT,
ADD COLUMN     "resources" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "oauth_requests" ADD COLUMN     "dpop_jkt" TEXT,
ADD COLUMN     "resources" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "oauth_tokens" ADD COLUMN     "dpop_jkt" TEXT,
ADD COLUMN     "resources" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "oauth_pushed_requests" (
    "uri_hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_pushed_requests_pkey" PRIMARY KEY ("uri_hash")
);

-- CreateTable
CREATE TABLE "dpop_proofs" (
    "id" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dpop_proofs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "oauth_pushed_requests_expires_at_idx" ON "oauth_pushed_requests"("expires_at");

-- CreateIndex
CREATE INDEX "dpop_proofs_expires_at_idx" ON "dpop_proofs"("expires_at");
