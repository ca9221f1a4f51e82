-- CreateTable
CREATE TABLE "facilitator_signers" (
    "facilitator_url" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "facilitator_signers_pkey" PRIMARY KEY ("facilitator_url","network","address")
);
