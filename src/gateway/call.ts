/** A call in progress, in sync with its record. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { newId } from "../platform/ids.ts";
import type { CallRow } from "./calls.ts";
import type { GatewayDeps } from "./deps.ts";
import type { TokenCounts } from "./price.ts";

export interface CallEnding {
  readonly status: "completed" | "aborted" | "failed";
  readonly used?: TokenCounts;
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
  recordUsage(used: TokenCounts, costMicroUsd: bigint): void;
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
      row = { ...row, promptTokens: used.prompt, completionTokens: used.completion, costMicroUsd };
    },
    end({ status, used, costMicroUsd = row.costMicroUsd, errorCode = null }) {
      const tokens = used ? { promptTokens: used.prompt, completionTokens: used.completion } : {};
      row = { ...row, ...tokens, status, costMicroUsd, errorCode, completedAt: new Date() };
      gateway.calls.queueSave(row);
      gateway.meter.count(row);
    },
  };
}
