import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { SandboxMessage } from "./endpoints.ts";
import { parseNetworkNames } from "./networks.ts";
import type { Sandbox } from "./start.ts";

/**
 * Entry point of the sandbox process. Environment: SANDBOX_DATA_DIR, SANDBOX_HOST, SANDBOX_NETWORKS.
 * With an IPC channel it reports to its parent and exits when the channel closes, so it never outlives the parent. Started
 * without a parent, it prints its endpoints as one line of JSON.
 */
const { env } = process;
const hasParent = process.send !== undefined;
let sandbox: Promise<Sandbox> | undefined;
let isExiting = false;

/** Sends a message to the parent. Resolves when the message is sent. */
async function report(message: SandboxMessage): Promise<void> {
  if (process.connected) await new Promise((sent) => process.send?.(message, undefined, undefined, sent));
  else if (message.type === "ready") process.stdout.write(`${JSON.stringify(message.sandbox)}\n`);
  else if (!hasParent) process.stderr.write(`${message.message}\n`);
}

async function exit(code: number): Promise<void> {
  if (isExiting) return;
  isExiting = true;
  setTimeout(() => process.exit(1), 10_000).unref();
  await sandbox?.then((started) => started.stop()).catch(() => {});
  // Compilation that has begun completes meanwhile. Otherwise the exit can block forever (nodejs/node#54918).
  setTimeout(() => process.exit(code), 100);
}

process.on("SIGTERM", () => void exit(0));
process.on("SIGINT", () => void exit(0));
process.on("disconnect", () => void exit(0));

try {
  const networks = parseNetworkNames(env["SANDBOX_NETWORKS"]);
  void report({ type: "progress", message: "Loading the sandbox" });
  // Loading lasts longer than starting, so the compiled modules are cached for the next start.
  enableCompileCache();
  const { startSandbox } = await import("./start.ts");
  sandbox = startSandbox({
    dataDir: resolve(env["SANDBOX_DATA_DIR"] ?? ".data/sandbox"),
    networks,
    ...(env["SANDBOX_HOST"] ? { host: env["SANDBOX_HOST"] } : {}),
    onProgress: (message) => void report({ type: "progress", message }),
  });
  await report({ type: "ready", sandbox: (await sandbox).endpoints });
} catch (error) {
  await report({ type: "failed", message: `The sandbox did not start: ${(error as Error).message}` });
  await exit(1);
}
