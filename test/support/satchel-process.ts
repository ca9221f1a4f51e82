/** The service as a process of its own (`node src/main.ts`), for tests that stop it, kill it or run several. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
/** What the service logs once it serves, or prints when it brought the sandbox along. */
const READY =
  /"baseUrl":"([^"]+)","msg":"ready"|curl -i -X POST '(http:\/\/[^/]+)\/.*\s+-H 'X-Service-Token: satchel_sk_/;
/** Of the compiled modules: the dozens of processes that a run starts read what the first ones left. */
export const COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/satchel-test-v8");
/** Generous: only a start that hangs takes so long, on a busy machine too. */
const START_TIMEOUT_MS = 120_000;
/** A process that lives for seconds spends a third of its processor time on optimising WebAssembly that it then hardly runs. */
const NODE_OPTIONS = ["--disable-warning=ExperimentalWarning", "--liftoff-only"];

export interface SatchelProcess {
  readonly pid: number;
  readonly baseUrl: string;
  /** What it has written so far, both streams. */
  output(): string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
}

export interface EndedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts it and waits until it serves. Nothing of this process's environment reaches it but PATH and HOME. */
export async function startSatchelProcess(env: Record<string, string>): Promise<SatchelProcess> {
  const { child, exited, written } = spawnSatchel(env);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It does not start:\n${written.text}`)), START_TIMEOUT_MS);
    const look = () => {
      const [, logged, printed] = READY.exec(written.text) ?? [];
      const url = logged ?? printed;
      if (url) resolve(url);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    void exited.then((code) => reject(new Error(`It ended with code ${code}:\n${written.text}`)));
    void exited.finally(() => clearTimeout(timer));
  }).catch(async (error: unknown) => {
    // It would keep its data folder locked against the next one.
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
 * Runs it until it ends by itself, and so have those it started.
 * @param onExit told as soon as it has ended, whoever is left
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
  // A test that fails must not leave it behind.
  const abandon = () => child.kill("SIGKILL");
  process.once("exit", abandon);
  void exited.then(() => process.off("exit", abandon));
  return { child, exited, written };
}
