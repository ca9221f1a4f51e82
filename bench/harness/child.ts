/** Child processes of a benchmark. The parent stops each through its handle. A child also exits when the parent disconnects. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SERVERS = join(import.meta.dirname, "../servers");
const checkouts = new AsyncLocalStorage<string>();

/** Runs `open` with the service of another checkout of this repository. The baselines come from this checkout. */
export function runWithCheckout<Result>(folder: string, open: () => Promise<Result>): Promise<Result> {
  return checkouts.run(folder, open);
}

function serversFolder(isService: boolean): string {
  const folder = checkouts.getStore();
  return isService && folder !== undefined ? join(folder, "bench/servers") : SERVERS;
}

/** Node flags of `npm start`. Other programs start without flags. */
const SERVICE_FLAGS = ["--no-allocation-site-pretenuring"];
const START_TIMEOUT_MS = 60_000;
const REPLY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const MAX_LOG_CHARS = 2_000;

let startedCount = 0;

/**
 * A message from a child: the ready message (id 0), or the reply to the request with this id. The property names remain, because
 * `--against` runs children of other versions.
 */
export interface ChildMessage {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

export interface Child<Hello = unknown> {
  /** Content of the ready message. */
  readonly hello: Hello;
  /** Whether the child runs Satchel's code, not a baseline. */
  readonly isService: boolean;
  request<Result>(question: string, input?: unknown): Promise<Result>;
  /** CPU time of the child so far, in microseconds. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts `bench/servers/<name>.ts` and waits for its ready message.
 * @param options `isService` if the program runs Satchel's code
 * @throws if the child exits or is not ready within 60 s
 */
export async function startChild<Hello>(
  name: string,
  options: { args?: string[]; env?: Record<string, string>; isService?: boolean } = {},
): Promise<Child<Hello>> {
  const profile = process.env["BENCH_PROFILE"]?.split(",").includes(name)
    ? ["--cpu-prof", `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`]
    : [];
  // Logs go to a file, as in production. The file is deleted when the process stops.
  const logFile = join(tmpdir(), `satchel-bench-${name}-${process.pid}-${++startedCount}.log`);
  const log = openSync(logFile, "w");
  const { isService = false } = options;
  const child = fork(join(serversFolder(isService), `${name}.ts`), options.args ?? [], {
    // For every program: without it, graphql-js makes additional checks.
    env: { ...process.env, NODE_ENV: "production", ...options.env },
    execArgv: ["--disable-warning=ExperimentalWarning", ...(isService ? SERVICE_FLAGS : []), ...profile],
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const pendingReplies = new Map<number, (message: ChildMessage) => void>();
  let lastId = 0;
  child.on("message", (message: ChildMessage) => {
    pendingReplies.get(message.id)?.(message);
    pendingReplies.delete(message.id);
  });
  const ended = once(child, "exit");
  const close = async () => {
    await stop(child, ended);
    rmSync(logFile, { force: true });
  };
  const replyTo = async (id: number, timeoutMs: number): Promise<unknown> => {
    const replied = new Promise<ChildMessage>((resolve) => pendingReplies.set(id, resolve));
    const exited = ended.then(([code]) => ({ id, error: `exited with ${code}` }));
    const message = await Promise.race([replied, exited, timeout(id, timeoutMs)]);
    if (message.error !== undefined) throw new Error(`${name}: ${message.error}\n${readLogEnd(logFile)}`);
    return "answer" in message ? message.answer : undefined;
  };
  try {
    const hello = (await replyTo(0, START_TIMEOUT_MS)) as Hello;
    const request = <Result>(question: string, input?: unknown) => {
      const id = ++lastId;
      const reply = replyTo(id, REPLY_TIMEOUT_MS);
      child.send({ id, question, input });
      return reply as Promise<Result>;
    };
    return { hello, isService, request, cpuMicros: () => request<number>("cpuMicros"), stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readLogEnd(logFile: string): string {
  return existsSync(logFile) ? readFileSync(logFile, "utf8").slice(-MAX_LOG_CHARS) : "";
}

async function timeout(id: number, timeoutMs: number): Promise<ChildMessage> {
  await new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
  return { id, error: `no reply within ${timeoutMs} ms` };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
