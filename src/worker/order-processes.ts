/**
 * Runs each order in its own process with its own browser. One more process is ready for the next order, since a start
 * lasts longer than a slot should be idle. The processes request the cards themselves, so the worker never receives one.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { WorkerConfig } from "./config.ts";
import type { OrderCommand, OrderReport } from "./order-messages.ts";
import type { OpenOrderRunner } from "./order-runner.ts";

interface OrderProcess {
  /** Resolves when the process accepts an order. Rejects if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves to true when the order's result is reported, and to false if the process ends before. */
  readonly ended: Promise<boolean>;
  readonly exited: Promise<void>;
  /** Called when the order waits for its account owner. */
  onWait: () => void;
  /** Called with each message of the process. */
  onMessage: () => void;
  /** Returns false if the process has ended; the socket then remains open. */
  send(command: OrderCommand, socket?: Parameters<ChildProcess["send"]>[1]): boolean;
  kill(): void;
}

/** Time for a process to exit after its order has ended. */
const EXIT_MS = 5_000;
const END_WITH_PARENT = new URL("./end-with-parent.ts", import.meta.url).href;

/**
 * A process that does not respond for twice as long as a lease has lost its lease. The service then ends the order: as safe to retry if
 * the card was not submitted, otherwise as unconfirmed.
 */
const maxSilenceOf = ({ leasedForMs }: WorkerJob) => 2 * leasedForMs;

/**
 * @param program path of the module that calls `serveOrder`
 * @param maxSilenceMs a process is killed after this long without a sign of life, so that its slot is free again. Null: twice the lease
 */
export function inOwnProcesses(program: string, maxSilenceMs: number | null = null): OpenOrderRunner {
  return ({ config, token, logger }) => {
    const environment = createEnvironment(config, token);
    const codeCache = mkdtempSync(join(tmpdir(), "satchel-code-"));
    const running = new Set<OrderProcess>();
    const byLease = new Map<string, OrderProcess>();
    let spare: OrderProcess | null = null;
    let isStopping = false;

    function startSpare(): OrderProcess {
      const started = startProcess(program, { ...environment, NODE_COMPILE_CACHE: codeCache });
      spare = started;
      running.add(started);
      void started.exited.then(() => {
        running.delete(started);
        if (spare === started) spare = null;
      });
      return started;
    }

    return {
      async prepare() {
        await (spare ?? startSpare()).ready;
      },
      async run(job, onWait) {
        const claimed = spare ?? startSpare();
        spare = null;
        byLease.set(job.lease, claimed);
        claimed.onWait = onWait;
        claimed.send({ kind: "run", job });
        if (isStopping) claimed.send({ kind: "stop" });
        else startSpare();
        const stopWatching = watchSilence(claimed, maxSilenceMs ?? maxSilenceOf(job), () => {
          logger.error({ orderId: job.orderId }, "The process of the order does not respond and is killed");
          claimed.kill();
        });
        const isReported = await claimed.ended.finally(stopWatching);
        byLease.delete(job.lease);
        // The service ends the order when the lease expires.
        if (!isReported) logger.error({ orderId: job.orderId }, "The process of the order ended before its result");
      },
      connectViewer(lease, { request, socket, head }) {
        const one = byLease.get(lease);
        const isSent = one?.send({ kind: "viewer", lease, request, headBase64: head.toString("base64") }, socket);
        return isSent ? "passed_on" : null;
      },
      stopOrders() {
        isStopping = true;
        spare?.kill();
        for (const one of byLease.values()) one.send({ kind: "stop" });
      },
      async close() {
        spare?.kill();
        await Promise.all([...running].map(({ exited }) => exited));
        await rm(codeCache, { recursive: true, force: true });
      },
    };
  };
}

/** Calls back once if a process shows no sign of life for this long. Returns a function that ends the watch. */
function watchSilence(watched: OrderProcess, maxSilenceMs: number, onSilence: () => void): () => void {
  let timer = setTimeout(onSilence, maxSilenceMs);
  watched.onMessage = () => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, maxSilenceMs);
  };
  return () => {
    watched.onMessage = () => {};
    clearTimeout(timer);
  };
}

function startProcess(program: string, environment: NodeJS.ProcessEnv): OrderProcess {
  // Contains all temporary files of the order's browser. Short, as the browser's own folder.
  const folder = mkdtempSync(join(tmpdir(), "o-"));
  const child = fork(program, {
    env: { ...environment, TMPDIR: folder },
    execArgv: ["--disable-warning=ExperimentalWarning", "--import", END_WITH_PARENT],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<boolean>();
  const exited = Promise.withResolvers<void>();
  // Awaited only while the process is the spare one.
  ready.promise.catch(() => {});
  const started: OrderProcess = {
    ...{ ready: ready.promise, ended: ended.promise, exited: exited.promise },
    onWait: () => {},
    onMessage: () => {},
    send(command, socket) {
      if (!child.connected) return false;
      // Without a callback, a failure would be an "error" event.
      child.send(command, socket, {}, () => {});
      return true;
    },
    kill: () => void child.kill("SIGKILL"),
  };
  child.on("message", (report: OrderReport) => {
    started.onMessage();
    switch (report.kind) {
      case "ready":
        return ready.resolve();
      case "failed":
        return ready.reject(new Error(report.reason));
      case "waiting":
        return started.onWait();
      case "ended":
        ended.resolve(true);
        setTimeout(started.kill, EXIT_MS).unref();
    }
  });
  const onEnd = () => {
    ready.reject(new Error("The process for the next order ended before it was ready."));
    ended.resolve(false);
    // The browser, killed with its process, may still write.
    void rm(folder, { recursive: true, force: true, maxRetries: 5 })
      .catch(() => {})
      .then(() => exited.resolve());
  };
  // "error" instead of "exit" if the process could not be started.
  child.once("exit", onEnd).once("error", onEnd);
  return started;
}

/** The worker's own variables, with its settings in place of those in `.env`. */
function createEnvironment(config: WorkerConfig, token: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: config.NODE_ENV,
    LOG_LEVEL: config.LOG_LEVEL,
    SERVICE_URL: config.SERVICE_URL,
    WORKER_TOKEN: token,
    EGRESS_ALLOW_LOOPBACK: config.EGRESS_ALLOW_LOOPBACK ? "1" : "0",
    ...(config.CHROMIUM_PATH !== undefined && { CHROMIUM_PATH: config.CHROMIUM_PATH }),
  };
}
