-- CreateTable
CREATE TABLE "key_canaries" (
    "kek_id" TEXT NOT NULL,
    "wrapped_data_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_production" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "key_canaries_pkey" PRIMARY KEY ("kek_id")
);
