/** The sandbox in a separate process, with one network. The service checks payments on its chain. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxEndpoints, SandboxMessage } from "../../sandbox/endpoints.ts";

const MAIN = join(import.meta.dirname, "../../sandbox/main.ts");

export interface BenchSandbox {
  readonly endpoints: SandboxEndpoints;
  stop(): Promise<void>;
}

export async function startBenchSandbox(): Promise<BenchSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), "satchel-bench-sandbox-"));
  const child = fork(MAIN, {
    env: { ...process.env, SANDBOX_DATA_DIR: dataDir, SANDBOX_NETWORKS: "base-sepolia" },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const { promise, resolve, reject } = Promise.withResolvers<SandboxEndpoints>();
  child.on("message", (message: SandboxMessage) => {
    if (message.type === "ready") resolve(message.sandbox);
    else if (message.type === "failed") reject(new Error(message.message));
  });
  ended.then(([code]) => reject(new Error(`The sandbox exited with ${code}. The benchmark did not start.`)));
  try {
    return { endpoints: await promise, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
