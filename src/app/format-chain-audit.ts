/** The result of `npm run audit -- --chain` as text. */
import type { AuditedNetwork } from "../wallet/chain-audit/catch-up.ts";
import type { DifferenceKind, OpenDifference } from "../wallet/chain-audit/differences.ts";

export interface ChainAuditReport {
  readonly networks: readonly AuditedNetwork[];
  readonly differences: readonly OpenDifference[];
}

const KINDS: Readonly<Record<DifferenceKind, string>> = {
  unrecorded_transfer: "Transfer without a ledger row",
  amount: "Settled amount",
  bought: "Bought amount",
  balance: "Balance and sum of transfers",
};

const COLUMNS = ["Wallet", "Network", "Asset", "What differs", "Chain", "Ledger", "Transaction"];

/** Returns a line for each network, and a table of the differences. Amounts are in the asset's smallest unit. */
export function formatChainAudit({ networks, differences }: ChainAuditReport): string {
  const lines = networks.map(({ network, block, transferCount, failure }) =>
    failure === null
      ? `${network}: audited up to ${block === null ? "now; there is no wallet" : `block ${block}`}, ${transferCount} new transfers`
      : `${network}: not audited completely. ${failure}`,
  );
  if (differences.length === 0) return [...lines, "No differences between the chains and the ledger"].join("\n");
  const rows = differences.map((it) => [
    it.walletId,
    it.network,
    it.asset,
    KINDS[it.kind],
    it.chainAtomic,
    it.ledgerAtomic,
    it.txHash ?? it.transactionId ?? "",
  ]);
  return [...lines, "", ...alignColumns([COLUMNS, ...rows]), "", `Differences: ${differences.length}`].join("\n");
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
