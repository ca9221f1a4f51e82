/** The service is unavailable during a bank challenge: the payment continues, and the action is reported later. */
import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../src/worker/checkout/drive-checkout.ts";
import { maintainLease } from "../../src/worker/lease.ts";
import { openSession } from "../../src/worker/open-session.ts";
import { createRequiredActionReporter } from "../../src/worker/required-action.ts";
import { type RequiredAction, type ServiceClient, ServiceUnavailableError } from "../../src/worker/service-client.ts";
import { LeaseLostError } from "../../src/worker/session.ts";
import { CARD, createJob, FAST, GIFT_CARD, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

let fixture: WorkerFixture;
const logger = createLogger("silent");
beforeAll(async () => {
  fixture = await openWorkerFixture();
});

async function confirmAtBank(context: BrowserContext): Promise<void> {
  const bank = context.pages()[0]?.frameLocator('iframe[title^="3-D Secure"]');
  await bank?.getByLabel(/code/i).fill("1234");
  await bank?.getByRole("button", { name: "Confirm" }).click();
}

/** Buys with a challenged card. `onReport` replaces the service's handling of a reported action. */
async function buy(onReport: (what: RequiredAction) => Promise<void>) {
  const job = createJob(fixture.stores, GIFT_CARD);
  const client: ServiceClient = {
    claim: async () => null,
    ...{
      renew: async () => {},
      reportSteps: async () => {},
      uploadArtifact: async () => null,
      recordSubmission: async () => {},
    },
    releaseCard: async () => ({ ...CARD, number: "4000002760003184" }),
    finish: async () => "succeeded",
    ask: async () => null,
    awaitAnswer: async () => ({ status: "expired" }),
    reportRequiredAction: (_lease, what) => onReport(what),
  };
  const lease = maintainLease(client, job);
  const { session, close } = await openSession({ client, browser: fixture.browser, logger }, job, lease);
  const driving = driveCheckout(session, FAST);
  try {
    void confirmAtBank(session.context).catch(() => {});
    return await driving;
  } finally {
    lease.release();
    await close();
  }
}

it("completes the payment when the service is unavailable", async () => {
  const result = await buy(() => Promise.reject(new ServiceUnavailableError("The service does not respond.")));
  expect(result).toMatchObject({ cause: "confirmed", confirmation: { amountChargedMinor: GIFT_CARD.amountMinor } });
});

it("does not wait for a response of the service", async () => {
  expect(await buy(() => new Promise(() => {}))).toMatchObject({ cause: "confirmed" });
});

it("stops when the lease is lost", async () => {
  const leaseLost = new LeaseLostError("The lease of the order is lost.");
  await expect(buy(() => Promise.reject(leaseLost))).rejects.toBe(leaseLost);
});

it("reports the latest action once the service is available", async () => {
  const reported: RequiredAction[] = [];
  const serviceRestored = Promise.withResolvers<void>();
  let attempts = 0;
  const reporter = createRequiredActionReporter({
    ...{ lease: "wjb_test", logger, onLeaseLost: () => {} },
    client: {
      async reportRequiredAction(_lease, what) {
        attempts += 1;
        if (attempts === 1) {
          await serviceRestored.promise;
          throw new ServiceUnavailableError("The service does not respond.");
        }
        reported.push(what);
      },
    },
  });
  reporter.report("three_d_secure", null);
  reporter.report(null, null);
  serviceRestored.resolve();
  await expect.poll(() => reported).toEqual([null]);
  reporter.report("three_d_secure", null);
  await expect.poll(() => reported).toEqual([null, "three_d_secure"]);
  reporter.stop();
});
