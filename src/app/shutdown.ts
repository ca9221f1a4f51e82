import { exit as exitProcess } from "../platform/exit.ts";
import type { Logger } from "../platform/observability/logger.ts";

/** npm forwards an interrupt that the terminal already delivered, so signals within this time count as one. */
const DUPLICATE_SIGNAL_MS = 1_000;

export interface Shutdown {
  /** Appends a step. Steps run sequentially in the order of their addition. */
  addStep(name: string, run: () => Promise<unknown> | unknown): void;
  /** Runs the steps once and ends the process: with code 0 if all succeeded in time, else 1. */
  stop(reason: string): Promise<void>;
  /**
   * Runs the steps after a failed start and ends the process with code 1. Does not log that the service is stopping.
   */
  abandonStart(): Promise<void>;
  readonly isStopping: boolean;
}

/**
 * Stops the service on SIGTERM and SIGINT: runs named steps within one time limit. A second signal ends the process
 * immediately.
 *
 * @param options.timeoutMs time limit of all steps together; a step that exceeds it is logged and abandoned
 */
export function createShutdown(options: {
  logger: Logger;
  timeoutMs: number;
  exit?: (code: number) => unknown;
  signals?: NodeJS.EventEmitter;
}): Shutdown {
  const { logger, timeoutMs, exit = exitProcess, signals = process } = options;
  const steps: { name: string; run: () => Promise<unknown> | unknown }[] = [];
  let stopping: Promise<void> | null = null;
  let stoppingSinceMs = 0;
  let current = "";

  const runSteps = async (successCode: number): Promise<number> => {
    let code = successCode;
    for (const { name, run } of steps) {
      current = name;
      try {
        await run();
      } catch (error) {
        code = 1;
        logger.error({ err: error, step: name }, "Shutdown step failed");
      }
    }
    return code;
  };

  const end = async (successCode: number): Promise<number> => {
    stoppingSinceMs = Date.now();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<number>((resolve) => {
      timer = setTimeout(() => {
        logger.error({ step: current, timeoutMs }, "Shutdown timed out");
        resolve(1);
      }, timeoutMs);
    });
    const code = await Promise.race([runSteps(successCode), timeout]);
    clearTimeout(timer);
    return code;
  };

  const stop = async (reason: string): Promise<void> => {
    logger.info({ reason }, "Stopping");
    const code = await end(0);
    logger.info({ code }, "Stopped");
    await exit(code);
  };

  const abandonStart = async (): Promise<void> => {
    await exit(await end(1));
  };

  const shutdown: Shutdown = {
    addStep: (name, run) => void steps.push({ name, run }),
    stop: (reason) => (stopping ??= stop(reason)),
    abandonStart: () => (stopping ??= abandonStart()),
    get isStopping() {
      return stopping !== null;
    },
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    signals.on(signal, () => {
      if (!stopping) void shutdown.stop(signal);
      else if (Date.now() - stoppingSinceMs >= DUPLICATE_SIGNAL_MS) void exit(128 + (signal === "SIGINT" ? 2 : 15));
    });
  }
  return shutdown;
}
