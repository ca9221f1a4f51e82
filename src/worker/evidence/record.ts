/** Uploads steps and screenshots to the service in order and in the background, so uploads never delay the drive. */
import { ExponentialBackoff, handleType, retry } from "cockatiel";
import type { Logger } from "../../platform/observability/logger.ts";
import {
  type ArtifactUpload,
  type ReportedStep,
  type ServiceClient,
  ServiceUnavailableError,
} from "../service-client.ts";
import { LeaseLostError } from "../session.ts";

export interface Recorder {
  /** Numbers a step and queues it for upload. */
  add(step: Omit<ReportedStep, "seq" | "screenshotId">, screenshot: ArtifactUpload | null): void;
  addArtifact(artifact: ArtifactUpload): void;
  /** Resolves when the queue is empty or the time-out expires. */
  flush(timeoutMs: number): Promise<void>;
}

type Entry = { readonly step: ReportedStep | null; readonly artifact: ArtifactUpload | null };

/** The service accepts 1,000 steps. The rest is reserved for the steps that show how the order ended. */
const MAX_STEPS = 990;
const MAX_SCREENSHOTS = 150;
/** Maximum queued screenshots. Further steps are uploaded without one. */
const MAX_QUEUED_SCREENSHOTS = 12;
const MAX_STEPS_PER_REQUEST = 50;
const BACKOFF = { initialDelay: 100, maxDelay: 2_000 };
const ATTEMPTS = 6;

export function createRecorder(options: {
  readonly client: ServiceClient;
  readonly lease: string;
  readonly logger: Logger;
  /** Called when the lease is lost. */
  onLeaseLost(error: LeaseLostError): void;
}): Recorder {
  const { client, lease, logger, onLeaseLost } = options;
  const queue: Entry[] = [];
  let stepCount = 0;
  let screenshotCount = 0;
  let isStopped = false;
  let sending: Promise<void> | null = null;
  const retryPolicy = retry(handleType(ServiceUnavailableError), {
    maxAttempts: ATTEMPTS,
    backoff: new ExponentialBackoff(BACKOFF),
  });

  async function send(): Promise<void> {
    while (queue.length > 0 && !isStopped) {
      const batch: ReportedStep[] = [];
      while (queue.length > 0 && batch.length < MAX_STEPS_PER_REQUEST) {
        // A step waits for its screenshot's upload, and later steps wait for that step.
        if (batch.length > 0 && queue[0]?.artifact) break;
        const entry = queue.shift();
        const { artifact = null, step = null } = entry ?? {};
        const screenshotId = artifact && (await sendWithRetry(() => client.uploadArtifact(lease, artifact)));
        if (step) batch.push({ ...step, screenshotId: screenshotId ?? null });
      }
      if (batch.length > 0) await sendWithRetry(() => client.reportSteps(lease, batch));
    }
  }

  /** Sends a request with retries. Missing evidence stops nothing, but a lost lease stops the recorder. */
  async function sendWithRetry<Result>(request: () => Promise<Result>): Promise<Result | null> {
    if (isStopped) return null;
    try {
      return await retryPolicy.execute(request);
    } catch (error) {
      if (error instanceof LeaseLostError) {
        isStopped = true;
        onLeaseLost(error);
      } else logger.warn({ reason: (error as Error).message }, "Evidence upload failed; evidence is incomplete");
      return null;
    }
  }

  function push(entry: Entry): void {
    if (isStopped) return;
    queue.push(entry);
    start();
  }

  function start(): void {
    sending ??= send().finally(() => {
      sending = null;
      // Entries may have been added after the last check of the queue.
      if (queue.length > 0 && !isStopped) start();
    });
  }

  return {
    add(step, screenshot) {
      if (stepCount >= MAX_STEPS) return;
      stepCount += 1;
      const isAccepted =
        screenshot !== null && screenshotCount < MAX_SCREENSHOTS && countScreenshots(queue) < MAX_QUEUED_SCREENSHOTS;
      if (isAccepted) screenshotCount += 1;
      push({ step: { ...step, seq: stepCount }, artifact: isAccepted ? screenshot : null });
    },
    addArtifact: (artifact) => push({ step: null, artifact }),
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

const countScreenshots = (entries: readonly Entry[]) => entries.filter(({ artifact }) => artifact !== null).length;
