-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "document_host" TEXT,
ADD COLUMN     "refreshed_at" TIMESTAMPTZ(3),
ADD COLUMN     "registration" TEXT NOT NULL DEFAULT 'owner';

-- AlterTable
ALTER TABLE "oauth_requests" ADD COLUMN     "posts_to_opener" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "oauth_client_documents" (
    "url" TEXT NOT NULL,
    "problem" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_client_documents_pkey" PRIMARY KEY ("url")
);

-- CreateTable
CREATE TABLE "oauth_blocked_domains" (
    "domain" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_blocked_domains_pkey" PRIMARY KEY ("domain")
);

-- CreateIndex
CREATE INDEX "oauth_client_documents_expires_at_idx" ON "oauth_client_documents"("expires_at");

-- CreateIndex
CREATE INDEX "oauth_clients_refreshed_at_idx" ON "oauth_clients"("refreshed_at");
