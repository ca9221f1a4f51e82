-- Existing applications keep the waiver. New ones enforce their scopes unless they are registered with it.
ALTER TABLE "oauth_clients" ALTER COLUMN "strict_scopes" SET DEFAULT true,
ADD COLUMN     "access_token_seconds" INTEGER;

-- A grant has what its application had at the consent.
ALTER TABLE "oauth_grants" ADD COLUMN     "strict_scopes" BOOLEAN NOT NULL DEFAULT false;
UPDATE "oauth_grants" g SET "strict_scopes" = true FROM "oauth_clients" c WHERE c."id" = g."client_id" AND c."strict_scopes";
ALTER TABLE "oauth_grants" ALTER COLUMN "strict_scopes" SET DEFAULT true;
