-- AlterTable
ALTER TABLE "oauth_client_documents" ADD COLUMN     "claimed_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "declared_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "waiver_on_routes_only" BOOLEAN NOT NULL DEFAULT true;

-- Applications that were registered before retain the waiver for all requests.
UPDATE "oauth_clients" SET "waiver_on_routes_only" = false;
