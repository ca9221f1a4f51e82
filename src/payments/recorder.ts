import type { Database } from "../platform/database.ts";
import { createGatherer } from "../platform/gather.ts";
import { markSigned, recordClaims } from "../wallet/ledger.ts";

interface Signed {
  readonly id: string;
  readonly signature: string;
  readonly nonce: string | null;
}

interface Claimed {
  readonly id: string;
  readonly txHash: string;
}

/** Writes that many payments make at the same time, gathered into one statement and so one flush to disk. */
export interface Recorder {
  /** Resolves once the signature is committed; false when the row was released, and the signature must not leave. */
  signed(row: Signed): Promise<boolean>;
  /** Resolves once what the shop said is committed. */
  claimed(claim: Claimed): Promise<void>;
}

/** While two statements are being committed, what comes next waits for one of them and goes together. */
const GATHER = { maxBatch: 200, atOnce: 2 };

export function createRecorder(db: Database): Recorder {
  const signatures = createGatherer<Signed, boolean>(async (batch) => {
    const recorded = await markSigned(db, batch);
    return batch.map(({ id }) => recorded.has(id));
  }, GATHER);
  const claims = createGatherer<Claimed, null>(async (batch) => {
    await recordClaims(db, batch);
    return batch.map(() => null);
  }, GATHER);
  return {
    signed: (row) => signatures.load(row),
    claimed: async (claim) => void (await claims.load(claim)),
  };
}
