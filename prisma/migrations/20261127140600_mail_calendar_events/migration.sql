-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "calendar_events" JSONB;
