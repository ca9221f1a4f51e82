-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "is_pooled" BOOLEAN NOT NULL DEFAULT false;
