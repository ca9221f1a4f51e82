-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "published_uri" TEXT;
