import { appendFileSync, existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TransactionRecord } from "./record.ts";

/**
 * Persistence of a chain across restarts and crashes. Every transaction is appended before the response to its sender.
 * Occasional snapshots of the VM shorten the replay.
 */
export interface Journal {
  entries: TransactionRecord[];
  /** State of the VM after the first `entries` entries, or undefined without a snapshot. */
  snapshot: { state: Uint8Array; entries: number } | undefined;
  append(record: TransactionRecord): void;
  writeSnapshot(state: Uint8Array): void;
  /** Returns the number of entries since the last snapshot. */
  pending(): number;
}

/** Opens the journal of a chain in `dataDir`, or creates an empty one. */
export function openJournal(dataDir: string, chain: string): Journal {
  const file = join(dataDir, `${chain}.jsonl`);
  const snapshotFile = join(dataDir, `${chain}.snapshot`);
  const entries = readEntries(file);
  const found = readSnapshot(snapshotFile);
  // A snapshot with more entries than the journal belongs to a deleted journal.
  const snapshot = found && found.entries <= entries.length ? found : undefined;
  let count = entries.length;
  let snapshotEntries = snapshot?.entries ?? 0;
  return {
    entries,
    snapshot,
    append(record) {
      appendFileSync(file, `${JSON.stringify(record)}\n`);
      count += 1;
    },
    writeSnapshot(state) {
      const header = Buffer.alloc(8);
      header.writeBigUInt64LE(BigInt(count));
      writeFileSync(`${snapshotFile}.tmp`, Buffer.concat([header, state]));
      renameSync(`${snapshotFile}.tmp`, snapshotFile);
      snapshotEntries = count;
    },
    pending: () => count - snapshotEntries,
  };
}

/** Reads the complete lines and truncates an incomplete last line of a killed process. */
function readEntries(file: string): TransactionRecord[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
  return bytes
    .subarray(0, end)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TransactionRecord);
}

function readSnapshot(file: string): { state: Uint8Array; entries: number } | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  return { entries: Number(bytes.readBigUInt64LE(0)), state: bytes.subarray(8) };
}
