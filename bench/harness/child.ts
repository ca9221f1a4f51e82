/** Processes of a bench: the parent's end. Every one is ended by its own handle, and ends itself when the parent is gone. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SERVERS = join(import.meta.dirname, "../servers");
const checkouts = new AsyncLocalStorage<string>();

/** Runs `open` with the service of another checkout of this repository. The baselines stay this one's. */
export function inCheckout<Opened>(folder: string, open: () => Promise<Opened>): Promise<Opened> {
  return checkouts.run(folder, open);
}

function serversFolder(isService: boolean): string {
  const folder = checkouts.getStore();
  return isService && folder !== undefined ? join(folder, "bench/servers") : SERVERS;
}

/** What `npm start` gives Node. Other programs start as anybody would start them. */
const SERVICE_FLAGS = ["--no-allocation-site-pretenuring"];
const START_TIMEOUT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const SHOWN_LOG_CHARS = 2_000;

let started = 0;

/** What a child sends: its greeting once it is ready (id 0), then answers. */
export interface ChildMessage {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

export interface Child<Hello = unknown> {
  /** What it said when it was ready. */
  readonly hello: Hello;
  /** Whether it runs what is Satchel's own. */
  readonly isService: boolean;
  ask<Answer>(question: string, input?: unknown): Promise<Answer>;
  /** CPU time it has used so far, in microseconds. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts `bench/servers/<name>.ts` and waits until it is ready.
 * @param options `isService` for what is Satchel's own
 */
export async function startChild<Hello>(
  name: string,
  options: { args?: string[]; env?: Record<string, string>; isService?: boolean } = {},
): Promise<Child<Hello>> {
  const profile = process.env["BENCH_PROFILE"]?.split(",").includes(name)
    ? ["--cpu-prof", `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`]
    : [];
  // Logs are written as they would be anywhere, to a file that goes when the process does.
  const logFile = join(tmpdir(), `satchel-bench-${name}-${process.pid}-${++started}.log`);
  const log = openSync(logFile, "w");
  const { isService = false } = options;
  const child = fork(join(serversFolder(isService), `${name}.ts`), options.args ?? [], {
    // As in production, for every program alike: graphql-js checks more otherwise.
    env: { ...process.env, NODE_ENV: "production", ...options.env },
    execArgv: ["--disable-warning=ExperimentalWarning", ...(isService ? SERVICE_FLAGS : []), ...profile],
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const waiting = new Map<number, (message: ChildMessage) => void>();
  let lastId = 0;
  child.on("message", (message: ChildMessage) => {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const ended = once(child, "exit");
  const close = async () => {
    await stop(child, ended);
    rmSync(logFile, { force: true });
  };
  const answerTo = async (id: number, timeoutMs: number): Promise<unknown> => {
    const answered = new Promise<ChildMessage>((resolve) => waiting.set(id, resolve));
    const gone = ended.then(([code]) => ({ id, error: `ended with ${code}` }));
    const message = await Promise.race([answered, gone, late(id, timeoutMs)]);
    if (message.error !== undefined) throw new Error(`${name}: ${message.error}\n${endOf(logFile)}`);
    return "answer" in message ? message.answer : undefined;
  };
  try {
    const hello = (await answerTo(0, START_TIMEOUT_MS)) as Hello;
    const ask = <Answer>(question: string, input?: unknown) => {
      const id = ++lastId;
      const answer = answerTo(id, ANSWER_TIMEOUT_MS);
      child.send({ id, question, input });
      return answer as Promise<Answer>;
    };
    return { hello, isService, ask, cpuMicros: () => ask<number>("cpuMicros"), stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function endOf(logFile: string): string {
  return existsSync(logFile) ? readFileSync(logFile, "utf8").slice(-SHOWN_LOG_CHARS) : "";
}

async function late(id: number, timeoutMs: number): Promise<ChildMessage> {
  await new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
  return { id, error: `did not answer in ${timeoutMs} ms` };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
