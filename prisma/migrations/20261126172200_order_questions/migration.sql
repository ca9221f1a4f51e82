-- CreateTable
CREATE TABLE "order_questions" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "open_slot" TEXT,
    "purpose" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "merchant_text" TEXT NOT NULL,
    "choices" JSONB NOT NULL,
    "min_length" INTEGER NOT NULL,
    "max_length" INTEGER NOT NULL,
    "earliest" TEXT,
    "latest" TEXT,
    "status" TEXT NOT NULL,
    "answer" TEXT,
    "answered_by" TEXT,
    "answered_by_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_questions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "order_questions_open_slot_key" ON "order_questions"("open_slot");

-- CreateIndex
CREATE INDEX "order_questions_order_id_created_at_idx" ON "order_questions"("order_id", "created_at");

-- CreateIndex
CREATE INDEX "order_questions_account_id_created_at_idx" ON "order_questions"("account_id", "created_at");

-- AddForeignKey
ALTER TABLE "order_questions" ADD CONSTRAINT "order_questions_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "checkout_orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
