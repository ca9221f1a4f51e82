import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { SandboxMessage } from "./endpoints.ts";
import { parseNetworkNames } from "./networks.ts";
import type { Sandbox } from "./start.ts";

/**
 * The sandbox as a process of its own. Environment: SANDBOX_DATA_DIR, SANDBOX_HOST, SANDBOX_NETWORKS.
 * With an IPC channel it reports over that and leaves when the channel closes, so it never outlives its parent; run by
 * hand it prints its endpoints as one line of JSON.
 */
const { env } = process;
const hasParent = process.send !== undefined;
let sandbox: Promise<Sandbox> | undefined;
let leaving = false;

/** Resolves when the message has left this process. */
async function tell(message: SandboxMessage): Promise<void> {
  if (process.connected) await new Promise((sent) => process.send?.(message, undefined, undefined, sent));
  else if (message.type === "ready") process.stdout.write(`${JSON.stringify(message.sandbox)}\n`);
  else if (!hasParent) process.stderr.write(`${message.message}\n`);
}

async function leave(code: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  setTimeout(() => process.exit(1), 10_000).unref();
  await sandbox?.then((started) => started.stop()).catch(() => {});
  process.exit(code);
}

process.on("SIGTERM", () => void leave(0));
process.on("SIGINT", () => void leave(0));
process.on("disconnect", () => void leave(0));

try {
  const networks = parseNetworkNames(env["SANDBOX_NETWORKS"]);
  void tell({ type: "progress", message: "Loading the sandbox" });
  // Loading takes longer than starting: the compiled modules are kept for the next time.
  enableCompileCache();
  const { startSandbox } = await import("./start.ts");
  sandbox = startSandbox({
    dataDir: resolve(env["SANDBOX_DATA_DIR"] ?? ".data/sandbox"),
    networks,
    ...(env["SANDBOX_HOST"] ? { host: env["SANDBOX_HOST"] } : {}),
    onProgress: (message) => void tell({ type: "progress", message }),
  });
  await tell({ type: "ready", sandbox: (await sandbox).endpoints });
} catch (error) {
  await tell({ type: "failed", message: `The sandbox did not start: ${(error as Error).message}` });
  await leave(1);
}
