/** Starts the sandbox as a process of its own: counterparties share no code and no memory with the service. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { SandboxEndpoints, SandboxMessage } from "../../sandbox/endpoints.ts";

export interface SandboxProcess {
  /** Once it is there. Fails with a `SandboxError`. */
  readonly endpoints: Promise<SandboxEndpoints>;
  /** Asks it to keep its state and leave, however far it has come, and waits until it has. */
  stop(): Promise<void>;
}

/** The sandbox did not start; the message says why, for a person. */
export class SandboxError extends Error {}

/** @param onProgress is told what it is doing, in words for a person. */
export function startSandboxProcess(dataDir: string, onProgress: (message: string) => void): SandboxProcess {
  const child = fork(join(import.meta.dirname, "../../sandbox/main.ts"), {
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
    exited.then(([code]) => reject(new SandboxError(`The sandbox ended while starting (code ${code}).`)));
  });
  // It may fail before anybody waits for it; who waits later is told all the same.
  endpoints.catch(() => {});
  return {
    endpoints,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await exited;
    },
  };
}
