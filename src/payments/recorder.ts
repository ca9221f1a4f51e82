import { createBatchLoader } from "../platform/concurrency/batch-loader.ts";
import type { Database } from "../platform/database/connection.ts";
import { isRolledBack } from "../platform/database/errors.ts";
import { type Claim, markSigned, recordClaims, type Settlement, settle, settleMany } from "../wallet/ledger.ts";

interface Signed {
  readonly id: string;
  readonly signature: string;
  readonly nonce: string | null;
}

interface Settled extends Settlement {
  readonly id: string;
}

/** Ledger writes of concurrent payments, batched into one statement and one flush to disk. */
export interface Recorder {
  /** Records a signature. Resolves once it is committed; false if the row was released or its account frozen, and the signature must not leave. */
  recordSignature(row: Signed): Promise<boolean>;
  /** Records a reported transaction hash. Resolves once it is committed. */
  recordClaim(claim: Claim): Promise<void>;
  /** Records a settlement. Resolves once it is committed; false if the payment had ended before. */
  recordSettlement(payment: Settled): Promise<boolean>;
}

/** Writes that arrive while two statements are being committed wait for one of them and form the next batch. */
const BATCHING = { maxBatch: 200, maxConcurrent: 2 };

export function createRecorder(db: Database): Recorder {
  const signatures = createBatchLoader<Signed, boolean>(async (batch) => {
    const recorded = await markSigned(db, batch);
    return batch.map(({ id }) => recorded.has(id));
  }, BATCHING);
  const claims = createBatchLoader<Claim, null>(async (batch) => {
    await recordClaims(db, batch);
    return batch.map(() => null);
  }, BATCHING);
  const settleOne = async (payment: Settled) => (await settle(db, payment.id, payment)) !== null;
  const settlements = createBatchLoader<Settled, boolean>(async (batch) => {
    try {
      const closed = await settleMany(db, batch);
      return batch.map(({ id }) => closed.has(id));
    } catch (error) {
      // One invalid settlement must not fail the others.
      if (!isRolledBack(error)) throw error;
      return await Promise.all(batch.map((payment) => settleOne(payment).catch((reason: Error) => reason)));
    }
  }, BATCHING);
  return {
    recordSignature: (row) => signatures.load(row),
    recordClaim: async (claim) => void (await claims.load(claim)),
    recordSettlement: (payment) => settlements.load(payment),
  };
}
