import { appendFileSync, existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TransactionRecord } from "./record.ts";

/**
 * Keeps a chain across restarts and kills: every transaction is appended before it is answered, and a snapshot of the
 * VM now and then spares replaying the old ones.
 */
export interface Journal {
  entries: TransactionRecord[];
  /** The VM's state after the first `entries` entries, when there is a snapshot. */
  snapshot: { state: Uint8Array; entries: number } | undefined;
  append(record: TransactionRecord): void;
  writeSnapshot(state: Uint8Array): void;
  /** Entries since the last snapshot. */
  pending(): number;
}

export function openJournal(dataDir: string, chain: string): Journal {
  const file = join(dataDir, `${chain}.jsonl`);
  const snapshotFile = join(dataDir, `${chain}.snapshot`);
  const entries = readEntries(file);
  const found = readSnapshot(snapshotFile);
  // A snapshot ahead of its journal belongs to another life of this folder.
  const snapshot = found && found.entries <= entries.length ? found : undefined;
  let count = entries.length;
  let covered = snapshot?.entries ?? 0;
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
      covered = count;
    },
    pending: () => count - covered,
  };
}

/** Reads whole lines only and cuts off a last one that a killed process left unfinished. */
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
