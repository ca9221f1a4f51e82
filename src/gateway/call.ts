/** A call in progress, in sync with its record. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { newId } from "../platform/ids.ts";
import type { CallRow } from "./calls.ts";
import type { GatewayDeps } from "./deps.ts";
import type { Usage } from "./usage.ts";

export interface CallEnding {
  readonly status: "completed" | "aborted" | "failed";
  readonly used?: Usage;
  readonly costMicroUsd?: bigint | null;
  readonly errorCode?: string;
}

export interface Call {
  readonly id: string;
  readonly transactionIds: readonly string[];
  /** Commits the link between the call and a payment for it. */
  link(transactionId: string, reservedMicroUsd: bigint): Promise<void>;
  /** Records that a provider has begun to respond. */
  begin(provider: string): void;
  /** Records the usage and cost of a call that ends without a response. */
  recordUsage(used: Usage, costMicroUsd: bigint): void;
  /** Queues the end of the call for recording, without waiting for the write. */
  end(ending: CallEnding): void;
}

export function openCall(
  { gateway }: GatewayDeps,
  { accountId, budgetId }: AccountViewer,
  { model, isStreamed }: { readonly model: string; readonly isStreamed: boolean },
): Call {
  const transactionIds: string[] = [];
  let row: CallRow = {
    id: newId("gwc"),
    accountId,
    budgetId,
    model,
    provider: null,
    status: "pending",
    isStreamed,
    promptTokens: null,
    completionTokens: null,
    cachedPromptTokens: null,
    isEstimated: false,
    reservedMicroUsd: 0n,
    costMicroUsd: null,
    errorCode: null,
    createdAt: new Date(),
    firstByteAt: null,
    completedAt: null,
    transactionIds,
  };
  return {
    id: row.id,
    transactionIds,
    async link(transactionId, reservedMicroUsd) {
      transactionIds.push(transactionId);
      row = { ...row, reservedMicroUsd: row.reservedMicroUsd + reservedMicroUsd };
      await gateway.calls.save(row);
    },
    begin(provider) {
      row = { ...row, provider, firstByteAt: new Date() };
    },
    recordUsage(used, costMicroUsd) {
      row = { ...row, ...toColumns(used), costMicroUsd };
    },
    end({ status, used, costMicroUsd = row.costMicroUsd, errorCode = null }) {
      row = { ...row, ...(used && toColumns(used)), status, costMicroUsd, errorCode, completedAt: new Date() };
      gateway.calls.queueSave(row);
      gateway.meter.count(row);
    },
  };
}

const toColumns = ({ prompt, completion, cacheRead, isEstimated }: Usage) => ({
  ...{ promptTokens: prompt, completionTokens: completion, cachedPromptTokens: cacheRead, isEstimated },
});
