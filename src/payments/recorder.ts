import { createBatchLoader } from "../platform/concurrency/batch-loader.ts";
import type { Database } from "../platform/database/connection.ts";
import { isRolledBack } from "../platform/database/errors.ts";
import { markSigned, recordClaims, type Settlement, settle, settleMany } from "../wallet/ledger.ts";

interface Signed {
  readonly id: string;
  readonly signature: string;
  readonly nonce: string | null;
}

interface Claimed {
  readonly id: string;
  readonly txHash: string;
}

interface Settled extends Settlement {
  readonly id: string;
}

/** Writes that many payments make at the same time, gathered into one statement and so one flush to disk. */
export interface Recorder {
  /** Resolves once the signature is committed; false when the row was released, and the signature must not leave. */
  signed(row: Signed): Promise<boolean>;
  /** Resolves once what the shop said is committed. */
  claimed(claim: Claimed): Promise<void>;
  /** Resolves once the payment is committed as settled; false when it had ended before. */
  settled(payment: Settled): Promise<boolean>;
}

/** While two statements are being committed, what comes next waits for one of them and goes together. */
const BATCHING = { maxBatch: 200, maxConcurrent: 2 };

export function createRecorder(db: Database): Recorder {
  const signatures = createBatchLoader<Signed, boolean>(async (batch) => {
    const recorded = await markSigned(db, batch);
    return batch.map(({ id }) => recorded.has(id));
  }, BATCHING);
  const claims = createBatchLoader<Claimed, null>(async (batch) => {
    await recordClaims(db, batch);
    return batch.map(() => null);
  }, BATCHING);
  const settleOne = async (payment: Settled) => (await settle(db, payment.id, payment)) !== null;
  const settlements = createBatchLoader<Settled, boolean>(async (batch) => {
    try {
      const closed = await settleMany(db, batch);
      return batch.map(({ id }) => closed.has(id));
    } catch (error) {
      // One of them must not spoil the others.
      if (!isRolledBack(error)) throw error;
      return await Promise.all(batch.map((payment) => settleOne(payment).catch((reason: Error) => reason)));
    }
  }, BATCHING);
  return {
    signed: (row) => signatures.load(row),
    claimed: async (claim) => void (await claims.load(claim)),
    settled: (payment) => settlements.load(payment),
  };
}
