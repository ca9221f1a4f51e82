/** A checkout worker as it runs: a process of its own, that can be killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { WORKER_TOKEN } from "../checkout/orders/worker.ts";
import { COMPILE_CACHE } from "./satchel-process.ts";

const MAIN = join(import.meta.dirname, "../../src/checkout-worker.ts");

export interface WorkerProcess {
  readonly pid: number;
  /** Everything it wrote, down to the least severe line of its log. */
  readonly written: { readonly text: string };
  /** Ends it at once, as a crash does; its browser with it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @param env settings beside those of every test */
export function startWorkerProcess(serviceUrl: string, env: Record<string, string> = {}): WorkerProcess {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: process.env["TMPDIR"] },
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...{ NODE_ENV: "test", LOG_LEVEL: "trace", EGRESS_ALLOW_LOOPBACK: "1", WORKER_TOKEN, SERVICE_URL: serviceUrl },
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: whatever it starts can be ended with it.
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
