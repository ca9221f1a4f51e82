/** Drives one order from its lease to its end, and tells the service how it ended, whatever happened on the way. */
import { setTimeout as after } from "node:timers/promises";
import { ExponentialBackoff, handleType, retry, TimeoutStrategy, timeout, wrap } from "cockatiel";
import type { ExplorationJob, PurchaseJob, WorkerJob } from "../checkout/worker-protocol/job.ts";
import { safeReason } from "./evidence/redact.ts";
import type { Hold } from "./lease.ts";
import type { LiveServer } from "./live/live-server.ts";
import { type OpenSession, openSession, type SessionDeps } from "./open-session.ts";
import { ServiceAwayError } from "./service-client.ts";
import { type Drive, type DriveResult, LeaseLostError, TimeSpentError } from "./session.ts";

export interface Drivers {
  readonly purchase: Drive<PurchaseJob>;
  readonly exploration: Drive<ExplorationJob>;
}

export interface RunDeps extends SessionDeps {
  readonly drivers: Drivers;
  readonly liveServer: LiveServer;
}

const FLUSH_MS = 8_000;
/** What closing pages, and a driver that was told to stop, may take: its order's end waits no longer. */
const UNWIND_MS = 5_000;
/** How long the service may be away when an order ended: what is known of a payment must not be lost. */
const TELL_SUBMITTED_MS = 600_000;
const TELL_MS = 30_000;
const BACKOFF = { initialDelay: 100, maxDelay: 2_000 };
const LONGEST_EXCERPT = 2_000;

/** What ends that say more come down to when it cannot be said. */
const BARE = { confirmed: "outcome_unknown", explored: "exploration_failed" } as const;

/** Never throws: an order that cannot be told of is ended by the service itself. */
export async function runOrder(deps: RunDeps, job: WorkerJob, hold: Hold): Promise<void> {
  const logger = deps.logger.child({ orderId: job.orderId });
  const startedAtMs = performance.now();
  let open: OpenSession<WorkerJob> | null = null;
  let withdraw = () => {};
  let result: DriveResult;
  try {
    open = await openSession(deps, job, hold);
    withdraw = deps.liveServer.offer(job.lease, open.live);
    result = await driveUntil(hold, deps.drivers, open, job);
  } catch (error) {
    logger[error instanceof LeaseLostError ? "warn" : "error"](
      { reason: safeReason(error, open?.redactor) },
      "a checkout broke off",
    );
    result = { cause: causeOf(error, hold) };
  }
  try {
    open?.keepTraffic();
    await open?.recorder.flush(FLUSH_MS);
    const told = { ...cleaned(result, open), browserVersion: deps.browser.version };
    const status = await tellEnd(deps, job, hold, told);
    const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
    logger.info({ kind: job.kind, cause: result.cause, status, seconds }, "a checkout ended");
  } catch (error) {
    logger.error({ cause: result.cause, reason: safeReason(error) }, "the end of a checkout could not be told");
  } finally {
    hold.release();
    withdraw();
    await settledWithin(open?.close() ?? Promise.resolve(), UNWIND_MS);
  }
}

/** Rejects as soon as the signal does; whatever the driver waits for then ends with its pages. */
async function driveUntil(
  hold: Hold,
  drivers: Drivers,
  open: OpenSession<WorkerJob>,
  job: WorkerJob,
): Promise<DriveResult> {
  const { signal } = hold;
  const { context } = open.session;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const driving =
    job.kind === "purchase"
      ? drivers.purchase((open as OpenSession<PurchaseJob>).session)
      : drivers.exploration((open as OpenSession<ExplorationJob>).session);
  try {
    return await Promise.race([driving, stopped]);
  } catch (thrown) {
    const error: unknown = signal.aborted ? signal.reason : thrown;
    if (!(error instanceof LeaseLostError)) {
      const last = { outcome: causeOf(error, hold), screenshot: true };
      await open.session.step("stop", last).catch(() => {});
    }
    // Nothing is clicked any more, whatever the driver is about to do.
    await settledWithin(Promise.allSettled([context.close(), driving]), UNWIND_MS);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const waiting = new AbortController();
  const late = after(ms, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), late]);
  waiting.abort();
}

function causeOf(error: unknown, { isSubmitted }: Hold): DriveResult["cause"] {
  if (isSubmitted) return "outcome_unknown";
  return error instanceof TimeSpentError ? "time_spent" : "worker_crashed";
}

/** The shop's words without a card's number in them. Its order's number may look like one, and is kept unless it is. */
function cleaned(result: DriveResult, open: OpenSession<WorkerJob> | null): DriveResult {
  const { confirmation, merchantResponse } = result;
  const { redactor } = open ?? {};
  if (!redactor) return result;
  const url = confirmation?.url ?? null;
  return {
    ...result,
    ...(merchantResponse && {
      merchantResponse: {
        ...merchantResponse,
        textExcerpt:
          merchantResponse.textExcerpt && redactor.clean(merchantResponse.textExcerpt).text.slice(0, LONGEST_EXCERPT),
      },
    }),
    ...(confirmation && {
      confirmation: {
        ...confirmation,
        orderNumber: redactor.cleanOfCard(confirmation.orderNumber).text,
        url: url !== null && redactor.cleanOfCard(url).redactions.length > 0 ? null : url,
      },
    }),
  };
}

/** The order's state from then on; null when somebody else ended it before. */
async function tellEnd(
  { client, logger }: RunDeps,
  job: WorkerJob,
  hold: Hold,
  result: DriveResult,
): Promise<string | null> {
  const withinMs = hold.isSubmitted ? TELL_SUBMITTED_MS : TELL_MS;
  const again = wrap(
    timeout(withinMs, TimeoutStrategy.Aggressive),
    retry(handleType(ServiceAwayError), {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new ExponentialBackoff(BACKOFF),
    }),
  );
  const tell = (what: DriveResult) => again.execute(() => client.finish(job.lease, what));
  try {
    return await tell(result);
  } catch (error) {
    if (error instanceof LeaseLostError) return null;
    if (error instanceof Error && error.name !== "ServiceRefusedError") throw error;
    // A result the service does not take is told without what it may have stumbled upon.
    logger.error({ orderId: job.orderId, reason: safeReason(error) }, "the end of a checkout was refused");
    const { cause, browserVersion = null } = result;
    return await tell({ cause: BARE[cause as keyof typeof BARE] ?? cause, browserVersion });
  }
}
