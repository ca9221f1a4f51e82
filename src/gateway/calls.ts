/** The record of calls. Rows that begin or end at the same moment are written by one statement. */

import { createBatchLoader } from "../platform/concurrency/batch-loader.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { publishCall } from "./call-events.ts";

/** See the model GatewayCall. */
export interface CallRow {
  readonly id: string;
  readonly accountId: string;
  readonly budgetId: string;
  readonly model: string;
  readonly provider: string | null;
  readonly status: "pending" | "completed" | "aborted" | "failed";
  readonly isStreamed: boolean;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly reservedMicroUsd: bigint;
  readonly costMicroUsd: bigint | null;
  readonly errorCode: string | null;
  readonly createdAt: Date;
  readonly firstByteAt: Date | null;
  readonly completedAt: Date | null;
  /** Payments made for it so far. */
  readonly transactionIds: readonly string[];
}

export interface CallLog {
  /** Writes the call as it now stands, and resolves once that is committed. */
  save(call: CallRow): Promise<void>;
  /**
   * The same for a call that has ended, within 25 ms and without anybody waiting. Its money is settled by then: what a
   * crash loses of it is the record of a free call, or the end of one that is on record with its payments.
   */
  saveSoon(call: CallRow): void;
  /** Resolves once all that was to be saved soon has been tried; whoever reads calls waits for it, and so does the service's end. */
  flush(): Promise<void>;
}

const SAVE: Statement = {
  name: "save-gateway-calls",
  text: `WITH given AS (
      SELECT * FROM json_to_recordset($1::json) AS c (id text, account_id uuid, budget_id text, model text, provider text,
        status text, is_streamed boolean, prompt_tokens int, completion_tokens int, reserved_micro_usd bigint,
        cost_micro_usd bigint, error_code text, created_at timestamptz, first_byte_at timestamptz, completed_at timestamptz,
        transaction_ids json)
    ), saved AS (
      INSERT INTO gateway_calls AS g (id, account_id, budget_id, model, provider, status, is_streamed, prompt_tokens,
        completion_tokens, reserved_micro_usd, cost_micro_usd, error_code, created_at, first_byte_at, completed_at)
      SELECT id, account_id, budget_id, model, provider, status, is_streamed, prompt_tokens,
        completion_tokens, reserved_micro_usd, cost_micro_usd, error_code, created_at, first_byte_at, completed_at FROM given
      ON CONFLICT (id) DO UPDATE SET provider = excluded.provider, status = excluded.status,
        prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
        reserved_micro_usd = excluded.reserved_micro_usd, cost_micro_usd = excluded.cost_micro_usd,
        error_code = excluded.error_code, first_byte_at = excluded.first_byte_at, completed_at = excluded.completed_at,
        updated_at = now()
      RETURNING g.id
    )
    INSERT INTO gateway_transactions (transaction_id, call_id)
    SELECT t.id, given.id FROM given, json_array_elements_text(given.transaction_ids) AS t (id)
    ON CONFLICT (transaction_id) DO NOTHING`,
};

const BATCHING = { maxBatch: 200, maxConcurrent: 2 };
const SOON_MS = 25;
/** While the database is away, ends are tried again this often, and no more of them are kept. */
const RETRY_MS = 1_000;
const MAX_WAITING = 10_000;

export function createCallLog(deps: {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly logger: Logger;
}): CallLog {
  const { db, pubsub, logger } = deps;
  const saving = createBatchLoader<CallRow, null>(async (calls) => {
    // One statement touches a row once: of two states of the same call the later one counts.
    const latest = [...new Map(calls.map((call) => [call.id, call])).values()];
    await db.query(SAVE, [JSON.stringify(latest.map(rowOf))]);
    for (const { accountId, id } of latest) publishCall(pubsub, accountId, id);
    return calls.map(() => null);
  }, BATCHING);
  const save = async (call: CallRow) => void (await saving.load(call));

  let waiting: CallRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const schedule = (afterMs: number) => {
    timer ??= setTimeout(() => void flush(), afterMs);
  };
  const writeAll = async () => {
    const calls = waiting;
    waiting = [];
    const results = await Promise.allSettled(calls.map(save));
    const failed = calls.filter((_, index) => results[index]?.status === "rejected");
    if (failed.length === 0) return;
    const [{ reason }] = results.filter((result) => result.status === "rejected") as [PromiseRejectedResult];
    logger.error({ err: reason, calls: failed.length }, "ended gateway calls not recorded yet");
    waiting = [...failed, ...waiting].slice(-MAX_WAITING);
    schedule(RETRY_MS);
  };
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting.length > 0) writing = writing.then(writeAll);
    return writing;
  };
  return {
    save,
    saveSoon(call) {
      waiting.push(call);
      schedule(SOON_MS);
    },
    flush,
  };
}

function rowOf(call: CallRow): object {
  return {
    id: call.id,
    account_id: call.accountId,
    budget_id: call.budgetId,
    model: call.model,
    provider: call.provider,
    status: call.status,
    is_streamed: call.isStreamed,
    prompt_tokens: call.promptTokens,
    completion_tokens: call.completionTokens,
    reserved_micro_usd: call.reservedMicroUsd.toString(),
    cost_micro_usd: call.costMicroUsd?.toString() ?? null,
    error_code: call.errorCode,
    created_at: call.createdAt,
    first_byte_at: call.firstByteAt,
    completed_at: call.completedAt,
    transaction_ids: call.transactionIds,
  };
}
