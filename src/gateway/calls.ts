/** The record of calls. Concurrent writes are batched into one statement. */

import { createBatchLoader } from "../platform/concurrency/batch-loader.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { publishCall } from "./call-events.ts";

/** A row of the Prisma model GatewayCall. */
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
  /** Tokens of the prompt that the provider read from its cache. */
  readonly cachedPromptTokens: number | null;
  /** Whether Satchel counted tokens because the provider did not report them. */
  readonly isEstimated: boolean;
  readonly reservedMicroUsd: bigint;
  readonly costMicroUsd: bigint | null;
  readonly errorCode: string | null;
  readonly createdAt: Date;
  readonly firstByteAt: Date | null;
  readonly completedAt: Date | null;
  /** IDs of the payments made for the call so far. */
  readonly transactionIds: readonly string[];
}

export interface CallLog {
  /** Writes the current state of the call and resolves once it is committed. */
  save(call: CallRow): Promise<void>;
  /**
   * Writes a call that has ended within 25 ms, without blocking the caller. Its payments are settled by then. A crash loses
   * only the record of a free call, or the end of a call that is recorded with its payments.
   */
  queueSave(call: CallRow): void;
  /** Resolves once all queued writes have been attempted. Reads of calls and the shutdown of the service wait for it. */
  flush(): Promise<void>;
}

const SAVE: Statement = {
  name: "save-gateway-calls",
  text: `WITH given AS (
      SELECT * FROM json_to_recordset($1::json) AS c (id text, account_id uuid, budget_id text, model text, provider text,
        status text, is_streamed boolean, prompt_tokens int, completion_tokens int,
        cached_prompt_tokens int, is_estimated boolean, reserved_micro_usd bigint,
        cost_micro_usd bigint, error_code text, created_at timestamptz, first_byte_at timestamptz, completed_at timestamptz,
        transaction_ids json)
    ), saved AS (
      INSERT INTO gateway_calls AS g (id, account_id, budget_id, model, provider, status, is_streamed, prompt_tokens,
        completion_tokens, cached_prompt_tokens, is_estimated, reserved_micro_usd, cost_micro_usd, error_code, created_at, first_byte_at, completed_at)
      SELECT id, account_id, budget_id, model, provider, status, is_streamed, prompt_tokens,
        completion_tokens, cached_prompt_tokens, is_estimated, reserved_micro_usd, cost_micro_usd, error_code, created_at, first_byte_at, completed_at FROM given
      ON CONFLICT (id) DO UPDATE SET provider = excluded.provider, status = excluded.status,
        prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
        cached_prompt_tokens = excluded.cached_prompt_tokens, is_estimated = excluded.is_estimated,
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
const SAVE_DELAY_MS = 25;
/** Retry interval and maximum backlog of ended calls while the database is unavailable. */
const RETRY_MS = 1_000;
const MAX_PENDING = 10_000;

export function createCallLog(deps: {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly logger: Logger;
}): CallLog {
  const { db, pubsub, logger } = deps;
  const saving = createBatchLoader<CallRow, null>(async (calls) => {
    // One statement can update a row only once, so the latest state of each call wins.
    const latest = [...new Map(calls.map((call) => [call.id, call])).values()];
    await db.query(SAVE, [JSON.stringify(latest.map(toJsonRow))]);
    for (const { accountId, id } of latest) publishCall(pubsub, accountId, id);
    return calls.map(() => null);
  }, BATCHING);
  const save = async (call: CallRow) => void (await saving.load(call));

  let pending: CallRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const schedule = (afterMs: number) => {
    timer ??= setTimeout(() => void flush(), afterMs);
  };
  const writeAll = async () => {
    const calls = pending;
    pending = [];
    const results = await Promise.allSettled(calls.map(save));
    const failed = calls.filter((_, index) => results[index]?.status === "rejected");
    if (failed.length === 0) return;
    const [{ reason }] = results.filter((result) => result.status === "rejected") as [PromiseRejectedResult];
    logger.error({ err: reason, calls: failed.length }, "Ended gateway calls not recorded; retry scheduled");
    pending = [...failed, ...pending].slice(-MAX_PENDING);
    schedule(RETRY_MS);
  };
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending.length > 0) writing = writing.then(writeAll);
    return writing;
  };
  return {
    save,
    queueSave(call) {
      pending.push(call);
      schedule(SAVE_DELAY_MS);
    },
    flush,
  };
}

function toJsonRow(call: CallRow): object {
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
    cached_prompt_tokens: call.cachedPromptTokens,
    is_estimated: call.isEstimated,
    reserved_micro_usd: call.reservedMicroUsd.toString(),
    cost_micro_usd: call.costMicroUsd?.toString() ?? null,
    error_code: call.errorCode,
    created_at: call.createdAt,
    first_byte_at: call.firstByteAt,
    completed_at: call.completedAt,
    transaction_ids: call.transactionIds,
  };
}
