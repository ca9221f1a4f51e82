-- AlterTable
ALTER TABLE "trades" ADD COLUMN     "sold_atomic" DECIMAL(78,0);
