import DataLoader from "dataloader";
import type { Database } from "../platform/database.ts";
import { markSigned, recordClaims } from "../wallet/ledger.ts";

/** Writes that many payments make at the same moment, gathered into one statement and so one flush to disk. */
export interface Recorder {
  /** Resolves once the signature is committed; false when the row was released, and the signature must not leave. */
  signed(row: { readonly id: string; readonly signature: string; readonly nonce: string | null }): Promise<boolean>;
  /** Resolves once what the shop said is committed. */
  claimed(claim: { readonly id: string; readonly txHash: string }): Promise<void>;
}

const MAX_BATCH = 200;
/** What is asked for in one turn of the event loop goes together. */
const OPTIONS = {
  cache: false,
  maxBatchSize: MAX_BATCH,
  batchScheduleFn: (flush: () => void) => void setImmediate(flush),
};

export function createRecorder(db: Database): Recorder {
  const signatures = new DataLoader<Parameters<Recorder["signed"]>[0], boolean>(async (batch) => {
    const recorded = await markSigned(db, batch);
    return batch.map(({ id }) => recorded.has(id));
  }, OPTIONS);
  const claims = new DataLoader<Parameters<Recorder["claimed"]>[0], null>(async (batch) => {
    await recordClaims(db, batch);
    return batch.map(() => null);
  }, OPTIONS);
  return {
    signed: (row) => signatures.load(row),
    claimed: async (claim) => void (await claims.load(claim)),
  };
}
