ALTER TABLE "oauth_tokens" ADD COLUMN     "successor_ids" TEXT[];
