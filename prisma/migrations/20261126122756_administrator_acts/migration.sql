-- CreateTable
CREATE TABLE "administrator_acts" (
    "id" TEXT NOT NULL,
    "actor_account_id" UUID,
    "action" TEXT NOT NULL,
    "reason" TEXT,
    "subject_account_id" UUID,
    "subject_type" TEXT,
    "subject_id" TEXT,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "administrator_acts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "administrator_acts_created_at_id_idx" ON "administrator_acts"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "administrator_acts_subject_account_id_created_at_id_idx" ON "administrator_acts"("subject_account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "administrator_acts_actor_account_id_created_at_id_idx" ON "administrator_acts"("actor_account_id", "created_at" DESC, "id" DESC);
