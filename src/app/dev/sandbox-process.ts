/** Starts the sandbox in its own process, because counterparties share no code and no memory with the service. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import type { SandboxEndpoints, SandboxMessage } from "../../../sandbox/endpoints.ts";
import { OperatorError } from "../../platform/operator-error.ts";

export interface SandboxProcess {
  /** Resolves when the sandbox is ready. Rejects with a `SandboxError`. */
  readonly endpoints: Promise<SandboxEndpoints>;
  /** Sends SIGTERM, on which the sandbox saves its state, and waits for its exit. Also allowed during its start. */
  stop(): Promise<void>;
}

/** The sandbox did not start. The message states the reason for the operator. */
export class SandboxError extends OperatorError {}

/** One of the development dependencies that the sandbox needs. npm installs all of them or none. */
const SANDBOX_PACKAGE = "litesvm";

/**
 * @param onProgress receives progress messages
 * @throws {SandboxError} if the sandbox's packages are not installed
 */
export function startSandboxProcess(dataDir: string, onProgress: (message: string) => void): SandboxProcess {
  requirePackages();
  const child = fork(join(import.meta.dirname, "../../../sandbox/main.ts"), {
    env: { ...process.env, SANDBOX_DATA_DIR: join(dataDir, "sandbox") },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const endpoints = new Promise<SandboxEndpoints>((resolve, reject) => {
    child.on("message", (message: SandboxMessage) => {
      if (message.type === "progress") onProgress(message.message);
      else if (message.type === "ready") resolve(message.sandbox);
      else reject(new SandboxError(message.message));
    });
    exited.then(([code]) => reject(new SandboxError(`The sandbox exited during its start (code ${code}).`)));
  });
  // Avoids an unhandled rejection if the start fails before `endpoints` is awaited.
  endpoints.catch(() => {});
  return {
    endpoints,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await exited;
    },
  };
}

function requirePackages(): void {
  try {
    findPackageJSON(SANDBOX_PACKAGE, import.meta.url);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new SandboxError(
      "The sandbox's packages are not installed. Nothing was started. Run `npm install --include=dev` to install them, " +
        "or set SANDBOX=0 to start without the sandbox.",
    );
  }
}
