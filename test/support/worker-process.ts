/** Checkout worker as a child process that a test can kill. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";
import { COMPILE_CACHE } from "./satchel-process.ts";

const MAIN = join(import.meta.dirname, "../../src/checkout-worker.ts");

export interface WorkerProcess {
  readonly pid: number;
  /** All output, including its log from level trace. */
  readonly written: { readonly text: string };
  /** Kills the worker and its browser, as in a crash. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @param env settings in addition to those of all tests */
export function startWorkerProcess(serviceUrl: string, env: Record<string, string> = {}): WorkerProcess {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: process.env["TMPDIR"] },
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...{ NODE_ENV: "test", LOG_LEVEL: "trace", EGRESS_ALLOW_LOOPBACK: "1", WORKER_TOKEN, SERVICE_URL: serviceUrl },
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group: a signal to the group also ends child processes.
    detached: true,
  });
  const written = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written.text += text;
    });
  }
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals, whole: boolean) => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(whole ? -child.pid : child.pid, signal);
    }
    await ended;
  };
  return { pid: child.pid ?? 0, written, kill: () => end("SIGKILL", true), stop: () => end("SIGTERM", false) };
}
