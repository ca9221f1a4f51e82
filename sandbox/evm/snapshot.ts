import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { PublicClient } from "viem";

/**
 * anvil writes its state only when it is asked to leave. So that a chain also survives a power cut, a snapshot is
 * written beside that file whenever blocks were mined, atomically and at most a few percent of the time.
 */
export interface Snapshots {
  /** Writes one now if the chain moved since the last. */
  write(): Promise<void>;
  stop(): void;
}

const snapshotFile = (stateFile: string) => `${stateFile}.snapshot`;

/**
 * Leaves in `stateFile` the newer of the two records that can be read, or no file when none can.
 * Call before anvil starts.
 */
export function recoverState(stateFile: string): void {
  const written = blockNumber(stateFile);
  const snapshot = blockNumber(snapshotFile(stateFile));
  if (snapshot > written) renameSync(snapshotFile(stateFile), stateFile);
  else if (written < 0) rmSync(stateFile, { force: true });
}

/** Begins to write snapshots of the chain behind `client`, looking for new blocks every second. */
export function keepSnapshots(client: PublicClient, stateFile: string): Snapshots {
  let last = -1n;
  let running: Promise<void> | undefined;
  let nextAt = 0;

  async function snapshot(): Promise<void> {
    const number = await client.getBlockNumber({ cacheTime: 0 });
    if (number === last) return;
    const startedAt = Date.now();
    const dump = (await client.request({ method: "anvil_dumpState" } as never)) as `0x${string}`;
    const temporary = `${snapshotFile(stateFile)}.tmp`;
    writeFileSync(temporary, gunzipSync(Buffer.from(dump.slice(2), "hex")));
    renameSync(temporary, snapshotFile(stateFile));
    last = number;
    nextAt = Date.now() + 20 * (Date.now() - startedAt);
  }

  const write = () => {
    running ??= snapshot()
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(() => {
    if (Date.now() >= nextAt) void write();
  }, 1_000);
  timer.unref();
  return { write, stop: () => clearInterval(timer) };
}

function blockNumber(file: string): number {
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as { block?: { number?: string | number } };
    return Number(state.block?.number ?? -1);
  } catch {
    return -1;
  }
}
