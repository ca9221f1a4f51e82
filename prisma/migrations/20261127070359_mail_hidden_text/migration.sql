-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "hidden_text" TEXT,
ADD COLUMN     "warnings" TEXT[] DEFAULT ARRAY[]::TEXT[];
