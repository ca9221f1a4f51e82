import type { Logger } from "../platform/observability/logger.ts";

/** npm passes on an interrupt that the terminal has delivered already: what comes this soon is the same wish. */
const SAME_WISH_MS = 1_000;

export interface Shutdown {
  /** Appends a step; steps run one after the other, in the order they were added. */
  addStep(name: string, run: () => Promise<unknown> | unknown): void;
  /** Runs the steps once and ends the process: with 0 when all went well in time, else 1. */
  stop(reason: string): Promise<void>;
  /** The same for what did not start, and with 1: it never ran, so nothing is said of its stopping. */
  abandonStart(): Promise<void>;
  readonly isStopping: boolean;
}

/**
 * Stops the service on SIGTERM and SIGINT: named steps within one time limit. A second signal ends the process at once.
 *
 * @param options.timeoutMs for all steps together; what is not done by then is logged and given up
 */
export function createShutdown(options: {
  logger: Logger;
  timeoutMs: number;
  exit?: (code: number) => void;
  signals?: NodeJS.EventEmitter;
}): Shutdown {
  const { logger, timeoutMs, exit = process.exit, signals = process } = options;
  const steps: { name: string; run: () => Promise<unknown> | unknown }[] = [];
  let stopping: Promise<void> | null = null;
  let stoppingSinceMs = 0;
  let current = "";

  const runSteps = async (codeWhenAllIsWell: number): Promise<number> => {
    let code = codeWhenAllIsWell;
    for (const { name, run } of steps) {
      current = name;
      try {
        await run();
      } catch (error) {
        code = 1;
        logger.error({ err: error, step: name }, "a step of the shutdown failed");
      }
    }
    return code;
  };

  const end = async (codeWhenAllIsWell: number): Promise<number> => {
    stoppingSinceMs = Date.now();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<number>((resolve) => {
      timer = setTimeout(() => {
        logger.error({ step: current, timeoutMs }, "the shutdown took too long");
        resolve(1);
      }, timeoutMs);
    });
    const code = await Promise.race([runSteps(codeWhenAllIsWell), timeout]);
    clearTimeout(timer);
    return code;
  };

  const stop = async (reason: string): Promise<void> => {
    logger.info({ reason }, "stopping");
    const code = await end(0);
    logger.info({ code }, "stopped");
    exit(code);
  };

  const shutdown: Shutdown = {
    addStep: (name, run) => void steps.push({ name, run }),
    stop: (reason) => (stopping ??= stop(reason)),
    abandonStart: () => (stopping ??= end(1).then(exit)),
    get isStopping() {
      return stopping !== null;
    },
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    signals.on(signal, () => {
      if (!stopping) void shutdown.stop(signal);
      else if (Date.now() - stoppingSinceMs >= SAME_WISH_MS) exit(128 + (signal === "SIGINT" ? 2 : 15));
    });
  }
  return shutdown;
}
