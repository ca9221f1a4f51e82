import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { PublicClient } from "viem";

/**
 * Snapshots of the chain's state. anvil writes its state only on exit, so a power failure would lose it. Snapshots are written
 * atomically beside the state file after new blocks, with pauses of 20 times their duration.
 */
export interface Snapshots {
  /** Writes a snapshot if there are blocks since the last one. */
  write(): Promise<void>;
  stop(): void;
}

const snapshotPath = (stateFile: string) => `${stateFile}.snapshot`;

/**
 * Replaces `stateFile` by its snapshot if that is newer, and deletes it if neither is readable. Call it before anvil starts.
 */
export function recoverState(stateFile: string): void {
  const stateBlock = readBlockNumber(stateFile);
  const snapshotBlock = readBlockNumber(snapshotPath(stateFile));
  if (snapshotBlock > stateBlock) renameSync(snapshotPath(stateFile), stateFile);
  else if (stateBlock < 0) rmSync(stateFile, { force: true });
}

/** Starts to write snapshots of the chain of `client`. It checks for new blocks every second. */
export function startSnapshots(client: PublicClient, stateFile: string): Snapshots {
  let lastBlock = -1n;
  let pendingWrite: Promise<void> | undefined;
  let nextAtMs = 0;

  async function snapshot(): Promise<void> {
    const number = await client.getBlockNumber({ cacheTime: 0 });
    if (number === lastBlock) return;
    const startedAt = Date.now();
    const dump = (await client.request({ method: "anvil_dumpState" } as never)) as `0x${string}`;
    const temporary = `${snapshotPath(stateFile)}.tmp`;
    writeFileSync(temporary, gunzipSync(Buffer.from(dump.slice(2), "hex")));
    renameSync(temporary, snapshotPath(stateFile));
    lastBlock = number;
    nextAtMs = Date.now() + 20 * (Date.now() - startedAt);
  }

  const write = () => {
    pendingWrite ??= snapshot()
      .catch(() => {})
      .finally(() => {
        pendingWrite = undefined;
      });
    return pendingWrite;
  };
  const timer = setInterval(() => {
    if (Date.now() >= nextAtMs) void write();
  }, 1_000);
  timer.unref();
  return { write, stop: () => clearInterval(timer) };
}

function readBlockNumber(file: string): number {
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as { block?: { number?: string | number } };
    return Number(state.block?.number ?? -1);
  } catch {
    return -1;
  }
}
