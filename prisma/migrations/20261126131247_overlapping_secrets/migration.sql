-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "former_secret_created_at" TIMESTAMPTZ(3),
ADD COLUMN     "former_secret_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "former_secret_hash" BYTEA,
ADD COLUMN     "former_secret_hint" TEXT;

-- AlterTable
ALTER TABLE "signing_keys" ADD COLUMN     "revoked_at" TIMESTAMPTZ(3);
