/** Tells the service what was done, with pictures, in order and beside the driving: what is sent holds nothing up. */
import { ExponentialBackoff, handleType, retry } from "cockatiel";
import type { Logger } from "../../platform/observability/logger.ts";
import { ServiceAwayError, type ServiceClient, type ToldArtifact, type ToldStep } from "../service-client.ts";
import { LeaseLostError } from "../session.ts";

export interface Recorder {
  /** Numbers it, and sends it when its turn comes. */
  add(step: Omit<ToldStep, "seq" | "screenshotId">, picture: ToldArtifact | null): void;
  keep(artifact: ToldArtifact): void;
  /** Resolves once all is told, or cannot be. */
  flush(timeoutMs: number): Promise<void>;
}

type Entry = { readonly step: ToldStep | null; readonly artifact: ToldArtifact | null };

/** The service takes 1,000, and the last ones say how it ended. */
const MAX_STEPS = 990;
const MAX_PICTURES = 150;
/** Pictures that wait; what comes beyond is told without. */
const MAX_WAITING_PICTURES = 12;
const STEPS_AT_ONCE = 50;
const BACKOFF = { initialDelay: 100, maxDelay: 2_000 };
const ATTEMPTS = 6;

export function createRecorder(options: {
  readonly client: ServiceClient;
  readonly lease: string;
  readonly logger: Logger;
  /** The order is not this worker's any more. */
  onLeaseLost(error: LeaseLostError): void;
}): Recorder {
  const { client, lease, logger, onLeaseLost } = options;
  const waiting: Entry[] = [];
  let steps = 0;
  let pictures = 0;
  let isOver = false;
  let sending: Promise<void> | null = null;
  const again = retry(handleType(ServiceAwayError), {
    maxAttempts: ATTEMPTS,
    backoff: new ExponentialBackoff(BACKOFF),
  });

  async function send(): Promise<void> {
    while (waiting.length > 0 && !isOver) {
      const told: ToldStep[] = [];
      while (waiting.length > 0 && told.length < STEPS_AT_ONCE) {
        // What has a picture waits for it, and what comes after waits for that.
        if (told.length > 0 && waiting[0]?.artifact) break;
        const entry = waiting.shift();
        const { artifact = null, step = null } = entry ?? {};
        const screenshotId = artifact && (await tell(() => client.keepArtifact(lease, artifact)));
        if (step) told.push({ ...step, screenshotId: screenshotId ?? null });
      }
      if (told.length > 0) await tell(() => client.tellSteps(lease, told));
    }
  }

  /** Evidence that cannot be told is missing, and stops nothing; but for an order that is not ours. */
  async function tell<Result>(say: () => Promise<Result>): Promise<Result | null> {
    if (isOver) return null;
    try {
      return await again.execute(say);
    } catch (error) {
      if (error instanceof LeaseLostError) {
        isOver = true;
        onLeaseLost(error);
      } else logger.warn({ reason: (error as Error).message }, "evidence of an order could not be told");
      return null;
    }
  }

  function push(entry: Entry): void {
    if (isOver) return;
    waiting.push(entry);
    start();
  }

  function start(): void {
    sending ??= send().finally(() => {
      sending = null;
      // Added between the last look and now.
      if (waiting.length > 0 && !isOver) start();
    });
  }

  return {
    add(step, picture) {
      if (steps >= MAX_STEPS) return;
      steps += 1;
      const isTaken = picture !== null && pictures < MAX_PICTURES && countPictures(waiting) < MAX_WAITING_PICTURES;
      if (isTaken) pictures += 1;
      push({ step: { ...step, seq: steps }, artifact: isTaken ? picture : null });
    },
    keep: (artifact) => push({ step: null, artifact }),
    async flush(timeoutMs) {
      const untilMs = performance.now() + timeoutMs;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      while (sending && performance.now() < untilMs) await Promise.race([sending, late]);
      clearTimeout(timer);
    },
  };
}

const countPictures = (entries: readonly Entry[]) => entries.filter(({ artifact }) => artifact !== null).length;
