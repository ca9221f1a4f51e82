/** Runs orders in this process, in one browser with a context for each. */
import { launchBrowser, type WorkerBrowser } from "./browser.ts";
import { type ActiveLease, maintainLease } from "./lease.ts";
import { createLiveViews } from "./live/live-views.ts";
import type { OpenOrderRunner } from "./order-runner.ts";
import { type Drivers, runOrder } from "./run-order.ts";
import { createServiceClient, type ServiceClient } from "./service-client.ts";

/** Card data of ended orders remains in the memory of this process and its browser until both end. */
export function inThisProcess(drivers: Drivers): OpenOrderRunner {
  return ({ config, token, logger }) => {
    const client = createServiceClient({ serviceUrl: config.SERVICE_URL, token });
    const liveViews = createLiveViews();
    const browsers = createSharedBrowser(() =>
      launchBrowser({
        chromiumPath: config.CHROMIUM_PATH ?? null,
        allowLoopback: config.EGRESS_ALLOW_LOOPBACK ?? false,
      }),
    );
    const leases = new Set<ActiveLease>();
    let isStopping = false;
    let launched: WorkerBrowser | null = null;
    return {
      async prepare() {
        launched = await browsers.get();
      },
      async run(job, onWait) {
        const activeLease = maintainLease(client, job);
        leases.add(activeLease);
        if (isStopping) activeLease.stop();
        // The browser may have exited during the wait. If no new one starts, the order ends as any aborted checkout.
        const browser = await browsers.get().catch(() => launched);
        const orderClient: ServiceClient = {
          ...client,
          async ask(lease, question) {
            const asked = await client.ask(lease, question);
            if (asked) onWait();
            return asked;
          },
          async reportRequiredAction(lease, action, waitMs) {
            await client.reportRequiredAction(lease, action, waitMs);
            // The service has recorded the wait, so the next claim counts the order as waiting.
            if (action !== null) onWait();
          },
        };
        try {
          // Without a browser, the service ends the order when the lease expires.
          if (!browser) return activeLease.release();
          await runOrder({ client: orderClient, browser, logger, drivers, liveViews }, job, activeLease);
        } finally {
          leases.delete(activeLease);
        }
      },
      connectViewer: liveViews.connectViewer,
      stopOrders() {
        isStopping = true;
        for (const activeLease of leases) activeLease.stop();
      },
      async close() {
        await browsers.close();
        liveViews.close();
      },
    };
  };
}

/** Returns a browser shared by all orders. It is launched on first use and again after it exited. */
function createSharedBrowser(launch: () => Promise<WorkerBrowser>) {
  let current: { readonly launching: Promise<WorkerBrowser>; browser: WorkerBrowser | null } | null = null;
  return {
    async get(): Promise<WorkerBrowser> {
      if (current && current.browser?.isConnected() !== false) return await current.launching;
      void current?.browser?.close();
      const started = { launching: launch(), browser: null as WorkerBrowser | null };
      current = started;
      try {
        started.browser = await started.launching;
      } catch (error) {
        if (current === started) current = null;
        throw error;
      }
      return started.browser;
    },
    async close(): Promise<void> {
      await (await current?.launching.catch(() => null))?.close();
    },
  };
}
