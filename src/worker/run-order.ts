/** Drives one order under its lease and always reports a result to the service. */
import { setTimeout as after } from "node:timers/promises";
import { ExponentialBackoff, handleType, retry, TimeoutStrategy, timeout, wrap } from "cockatiel";
import type { DryRunJob, ExplorationJob, PurchaseJob, WorkerJob } from "../checkout/worker-protocol/job.ts";
import { safeReason } from "./evidence/redact.ts";
import type { ActiveLease } from "./lease.ts";
import type { LiveViews } from "./live/live-views.ts";
import { type OpenSession, openSession, type SessionDeps } from "./open-session.ts";
import { ServiceUnavailableError } from "./service-client.ts";
import { type Drive, type DriveResult, LeaseLostError, TimeSpentError } from "./session.ts";

export interface Drivers {
  readonly purchase: Drive<PurchaseJob>;
  readonly exploration: Drive<ExplorationJob>;
  readonly dryRun: Drive<DryRunJob>;
}

export interface RunDeps extends SessionDeps {
  readonly drivers: Drivers;
  readonly liveViews: Pick<LiveViews, "publish">;
}

const FLUSH_MS = 8_000;
/** Maximum wait for pages to close and for an aborted driver to return. */
const UNWIND_MS = 5_000;
/** Retry period for reporting a result after submission. The outcome of a payment must not be lost. */
const REPORT_SUBMITTED_MS = 600_000;
const REPORT_MS = 30_000;
const BACKOFF = { initialDelay: 100, maxDelay: 2_000 };
const MAX_EXCERPT_LENGTH = 2_000;

/** Fallback for causes that require data, used when the service rejects that data. */
const FALLBACK_CAUSES = { confirmed: "outcome_unknown", explored: "exploration_failed" } as const;

/** Never throws. If the result cannot be reported, the service ends the order when the lease expires. */
export async function runOrder(deps: RunDeps, job: WorkerJob, activeLease: ActiveLease): Promise<void> {
  const logger = deps.logger.child({ orderId: job.orderId });
  const startedAtMs = performance.now();
  let open: OpenSession<WorkerJob> | null = null;
  let withdrawLiveView = () => {};
  let result: DriveResult;
  try {
    open = await openSession(deps, job, activeLease);
    withdrawLiveView = deps.liveViews.publish(job.lease, open.live);
    result = await driveUntil(activeLease, deps.drivers, open);
  } catch (error) {
    logger[error instanceof LeaseLostError ? "warn" : "error"](
      { reason: safeReason(error, open?.redactor) },
      "Checkout aborted",
    );
    result = { cause: causeOf(error, activeLease) };
  }
  try {
    open?.recordHar();
    await open?.recorder.flush(FLUSH_MS);
    const report = { ...redactResult(result, open), browserVersion: deps.browser.version };
    const status = await reportResult(deps, job, activeLease, report);
    const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
    logger.info({ kind: job.kind, cause: result.cause, status, seconds }, "Checkout ended");
  } catch (error) {
    logger.error({ cause: result.cause, reason: safeReason(error) }, "Checkout result could not be reported");
  } finally {
    activeLease.release();
    withdrawLiveView();
    await settledWithin(open?.close() ?? Promise.resolve(), UNWIND_MS);
  }
}

/** Rejects as soon as the signal aborts. Anything the driver still awaits ends when its pages close. */
async function driveUntil(
  activeLease: ActiveLease,
  drivers: Drivers,
  open: OpenSession<WorkerJob>,
): Promise<DriveResult> {
  const { signal } = activeLease;
  const { context } = open.session;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const driving = drive(drivers, open);
  try {
    return await Promise.race([driving, stopped]);
  } catch (thrown) {
    const error: unknown = signal.aborted ? signal.reason : thrown;
    if (!(error instanceof LeaseLostError)) {
      const last = { outcome: causeOf(error, activeLease), screenshot: true };
      await open.session.step("Stop", last).catch(() => {});
    }
    // Closing the context prevents further clicks by the driver.
    await settledWithin(Promise.allSettled([context.close(), driving]), UNWIND_MS);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function drive(drivers: Drivers, open: OpenSession<WorkerJob>): Promise<DriveResult> {
  switch (open.session.job.kind) {
    case "purchase":
      return drivers.purchase((open as OpenSession<PurchaseJob>).session);
    case "dry_run":
      return drivers.dryRun((open as OpenSession<DryRunJob>).session);
    case "explored":
      return drivers.exploration((open as OpenSession<ExplorationJob>).session);
  }
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const waiting = new AbortController();
  const late = after(ms, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), late]);
  waiting.abort();
}

function causeOf(error: unknown, { isSubmitted }: ActiveLease): DriveResult["cause"] {
  if (isSubmitted) return "outcome_unknown";
  return error instanceof TimeSpentError ? "time_spent" : "worker_crashed";
}

/**
 * Redacts card numbers from the merchant's texts. An order number may pass the check for card numbers, so only the
 * order's actual card is redacted from it.
 */
function redactResult(result: DriveResult, open: OpenSession<WorkerJob> | null): DriveResult {
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
          merchantResponse.textExcerpt &&
          redactor.clean(merchantResponse.textExcerpt).text.slice(0, MAX_EXCERPT_LENGTH),
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

/** Returns the order's new status, or null if the order had already ended. */
async function reportResult(
  { client, logger }: RunDeps,
  job: WorkerJob,
  activeLease: ActiveLease,
  result: DriveResult,
): Promise<string | null> {
  const withinMs = activeLease.isSubmitted ? REPORT_SUBMITTED_MS : REPORT_MS;
  const retryPolicy = wrap(
    timeout(withinMs, TimeoutStrategy.Aggressive),
    retry(handleType(ServiceUnavailableError), {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new ExponentialBackoff(BACKOFF),
    }),
  );
  const send = (body: DriveResult) => retryPolicy.execute(() => client.finish(job.lease, body));
  try {
    return await send(result);
  } catch (error) {
    if (error instanceof LeaseLostError) return null;
    if (error instanceof Error && error.name !== "ServiceRefusedError") throw error;
    // Retried without the optional data, which is probably what the service rejected.
    logger.error(
      { orderId: job.orderId, reason: safeReason(error) },
      "Checkout result rejected by the service; reporting the cause only",
    );
    const { cause, browserVersion = null } = result;
    return await send({ cause: FALLBACK_CAUSES[cause as keyof typeof FALLBACK_CAUSES] ?? cause, browserVersion });
  }
}
