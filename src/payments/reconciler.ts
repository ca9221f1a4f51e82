/** Runs the reconciliation of this node one at a time, whoever asks for it. */

export interface Reconciler {
  /** Looks up what is due, soon: something has just happened that makes it likely to be settled. Returns at once. */
  nudge(): void;
  /** Looks up what is due, and waits for it. */
  run(): Promise<void>;
}

/** Nudges this close together are one: many payments that settle at the same time are looked up in one go. */
const GATHER_MS = 50;

/** @param reconcile looks up everything that is due and does not reject. */
export function createReconciler(reconcile: () => Promise<void>): Reconciler {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;

  function run(): Promise<void> {
    if (running) {
      isAskedAgain = true;
      return running;
    }
    running = (async () => {
      do {
        isAskedAgain = false;
        await reconcile();
      } while (isAskedAgain);
    })().finally(() => {
      running = null;
    });
    return running;
  }

  let isNudged = false;
  function nudge(): void {
    if (isNudged) return;
    isNudged = true;
    const timer = setTimeout(() => {
      isNudged = false;
      run().catch(() => {});
    }, GATHER_MS);
    // What was nudged for is in the ledger; a process that ends need not wait for it.
    timer.unref();
  }

  return { run, nudge };
}
