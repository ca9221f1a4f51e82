/** The service as a child process (`node src/main.ts`), for tests that stop it, kill it or run several. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
/** Log line of a ready service, or its output if it started the sandbox. */
const READY =
  /"baseUrl":"([^"]+)","msg":"ready"|curl -i -X POST '(http:\/\/[^/]+)\/.*\s+-H 'X-Service-Token: satchel_sk_/;
/** Folder of compiled modules, shared by the dozens of processes that a run starts. */
export const COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/satchel-test-v8");
/** Only a start that hangs exceeds this time, even on a busy machine. */
const START_TIMEOUT_MS = 120_000;
/** `--liftoff-only`: optimising WebAssembly would use a third of the CPU time of a short-lived process. */
const NODE_OPTIONS = ["--disable-warning=ExperimentalWarning", "--liftoff-only"];

export interface SatchelProcess {
  readonly pid: number;
  readonly baseUrl: string;
  /** Output so far, of both streams. */
  output(): string;
  /** Sends SIGKILL and waits for the exit, as in a power cut. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

export interface EndedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the service and waits until it is ready. It inherits only PATH and HOME from this process's environment. */
export async function startSatchelProcess(env: Record<string, string>): Promise<SatchelProcess> {
  const { child, exited, written } = spawnSatchel(env);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The service did not start in time:\n${written.text}`)),
      START_TIMEOUT_MS,
    );
    const checkOutput = () => {
      const [, logged, printed] = READY.exec(written.text) ?? [];
      const url = logged ?? printed;
      if (url) resolve(url);
    };
    child.stdout.on("data", checkOutput);
    child.stderr.on("data", checkOutput);
    void exited.then((code) => reject(new Error(`The service exited with code ${code}:\n${written.text}`)));
    void exited.finally(() => clearTimeout(timer));
  }).catch(async (error: unknown) => {
    // Otherwise it would hold the lock of its data folder.
    child.kill("SIGKILL");
    await exited;
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    baseUrl,
    output: () => written.text,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      child.kill("SIGTERM");
      return await exited;
    },
  };
}

/**
 * Runs the service until it and its child processes have exited.
 * @param onExit called when the service has exited, even if child processes remain
 */
export async function runSatchelProcess(env: Record<string, string>, onExit = () => {}): Promise<EndedProcess> {
  const { child, exited, written } = spawnSatchel(env);
  child.once("exit", onExit);
  const code = await exited;
  return { code, stdout: written.stdout, stderr: written.stderr };
}

function spawnSatchel(env: Record<string, string>) {
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NODE_ENV: "test",
      PORT: "0",
      CHECKOUT_WORKERS: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { text: "", stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      written[stream] += text;
      written.text += text;
    });
  }
  const exited = once(child, "close").then(([code]) => code as number | null);
  // A failed test must not leave the process running.
  const abandon = () => child.kill("SIGKILL");
  process.once("exit", abandon);
  void exited.then(() => process.off("exit", abandon));
  return { child, exited, written };
}
