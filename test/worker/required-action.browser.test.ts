/** The service is away while the bank asks the card's owner: the payment goes on, and the service hears of it later. */
import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../src/worker/checkout/drive-checkout.ts";
import { holdLease } from "../../src/worker/lease.ts";
import { openSession } from "../../src/worker/open-session.ts";
import { createRequiredActionReporter } from "../../src/worker/required-action.ts";
import { type NeededFor, ServiceAwayError, type ServiceClient } from "../../src/worker/service-client.ts";
import { LeaseLostError } from "../../src/worker/session.ts";
import { CARD, FAST, GIFT_CARD, jobFor, openWorkerRoom, type WorkerRoom } from "./checkout-room.ts";

let room: WorkerRoom;
const logger = createLogger("silent");
beforeAll(async () => {
  room = await openWorkerRoom();
});

async function confirmAtBank(context: BrowserContext): Promise<void> {
  const bank = context.pages()[0]?.frameLocator('iframe[title^="3-D Secure"]');
  await bank?.getByLabel(/code/i).fill("1234");
  await bank?.getByRole("button", { name: "Confirm" }).click();
}

/** Buys with a card whose bank asks, of a service that answers what `tell` does when it is told of a person. */
async function buy(tell: (what: NeededFor) => Promise<void>) {
  const job = jobFor(room.stores, GIFT_CARD);
  const client: ServiceClient = {
    claim: async () => null,
    ...{ renew: async () => {}, tellSteps: async () => {}, keepArtifact: async () => null, submitting: async () => {} },
    releaseCard: async () => ({ ...CARD, number: "4000002760003184" }),
    finish: async () => "succeeded",
    tellPersonNeeded: (_lease, what) => tell(what),
  };
  const hold = holdLease(client, job);
  const { session, close } = await openSession({ client, browser: room.browser, logger }, job, hold);
  const driving = driveCheckout(session, FAST);
  try {
    void confirmAtBank(session.context).catch(() => {});
    return await driving;
  } finally {
    hold.release();
    await close();
  }
}

it("is paid though no word of a person reaches the service", async () => {
  const result = await buy(() => Promise.reject(new ServiceAwayError("The service does not answer.")));
  expect(result).toMatchObject({ cause: "confirmed", confirmation: { amountChargedMinor: GIFT_CARD.amountMinor } });
});

it("waits for no answer of the service", async () => {
  expect(await buy(() => new Promise(() => {}))).toMatchObject({ cause: "confirmed" });
});

it("stops for an order that is not its own any more", async () => {
  const lost = new LeaseLostError("The order is not this worker's any more.");
  await expect(buy(() => Promise.reject(lost))).rejects.toBe(lost);
});

it("tells the newest word, once the service is back", async () => {
  const heard: NeededFor[] = [];
  const back = Promise.withResolvers<void>();
  let asked = 0;
  const teller = createRequiredActionReporter({
    ...{ lease: "wjb_test", logger, onLeaseLost: () => {} },
    client: {
      async tellPersonNeeded(_lease, what) {
        asked += 1;
        if (asked === 1) {
          await back.promise;
          throw new ServiceAwayError("The service does not answer.");
        }
        heard.push(what);
      },
    },
  });
  teller.tell("three_d_secure", null);
  teller.tell(null, null);
  back.resolve();
  await expect.poll(() => heard).toEqual([null]);
  teller.tell("three_d_secure", null);
  await expect.poll(() => heard).toEqual([null, "three_d_secure"]);
  teller.stop();
});
