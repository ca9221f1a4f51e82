/** Scheduler of this node's reconciliation; runs never overlap. */

export interface Reconciler {
  /** Schedules a run soon, because a payment has probably settled. Returns at once. */
  wake(): void;
  /** Reconciles all due transactions. Resolves when they are done. */
  run(): Promise<void>;
}

/** Delay in which further wake-up signals are coalesced, so payments that settle together are reconciled in one run. */
const COALESCE_MS = 50;

/** @param reconcile reconciles all due transactions; never rejects */
export function createReconciler(reconcile: () => Promise<void>): Reconciler {
  let running: Promise<void> | null = null;
  let isRunRequested = false;

  function run(): Promise<void> {
    if (running) {
      isRunRequested = true;
      return running;
    }
    running = (async () => {
      do {
        isRunRequested = false;
        await reconcile();
      } while (isRunRequested);
    })().finally(() => {
      running = null;
    });
    return running;
  }

  let isScheduled = false;
  function wake(): void {
    if (isScheduled) return;
    isScheduled = true;
    const timer = setTimeout(() => {
      isScheduled = false;
      run().catch(() => {});
    }, COALESCE_MS);
    // Due rows are in the ledger, so a process that ends need not wait for the run.
    timer.unref();
  }

  return { run, wake };
}
