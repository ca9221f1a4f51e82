ALTER TABLE "accounts" ADD COLUMN     "browser_generation" INTEGER NOT NULL DEFAULT 0;
