-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "publishes_mailbox" BOOLEAN,
ADD COLUMN     "publishes_wallet" BOOLEAN,
ADD COLUMN     "wants_agent" BOOLEAN;


-- Accounts that have an agent retain it, with the file as it is.
UPDATE "accounts" SET "wants_agent" = true, "publishes_mailbox" = true, "publishes_wallet" = true
WHERE "id" IN (SELECT "account_id" FROM "agents");
