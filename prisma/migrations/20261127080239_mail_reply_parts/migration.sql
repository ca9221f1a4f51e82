-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "quoted_text" TEXT,
ADD COLUMN     "signature" TEXT;
