/** 3-D Secure challenges on the merchant's page, completed by the cardholder or not. */
import type { BrowserContext, FrameLocator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type DriveOptions, GIFT_CARD, NOTEBOOK, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await openWorkerFixture();
});

const CALLS_UNTIL_CHALLENGE = ["card", "submitting", "person:three_d_secure"];
const CHALLENGED_CARD = { card: { number: "4000002760003184" } };

function findBankFrame(context: BrowserContext): FrameLocator {
  const [page] = context.pages();
  if (!page) throw new Error("The context has no page.");
  return page.frameLocator('iframe[title^="3-D Secure"]');
}
async function submitCode(context: BrowserContext, code: string) {
  await findBankFrame(context).getByLabel(/code/i).fill(code);
  await findBankFrame(context).getByRole("button", { name: "Confirm" }).click();
}

async function buy(options: DriveOptions) {
  const drive = await fixture.drive(options);
  return { ...drive, cause: drive.result.cause };
}

describe.concurrent.each([GIFT_CARD, NOTEBOOK])("at $store", (options) => {
  const { amountMinor } = options;

  it("pays when the cardholder confirms, also after a wrong code", async () => {
    const onRequiredAction = async (context: BrowserContext) => {
      await submitCode(context, "0000");
      await findBankFrame(context).getByText("That code is not right.").waitFor();
      await submitCode(context, "1234");
    };
    const purchase = await buy({ ...options, ...CHALLENGED_CARD, onRequiredAction });
    expect(purchase).toMatchObject({
      cause: "confirmed",
      amounts: [amountMinor],
      calls: [...CALLS_UNTIL_CHALLENGE, "person:null"],
    });
  });

  it("pays nothing when the cardholder cancels", async () => {
    const onRequiredAction = (context: BrowserContext) =>
      findBankFrame(context).getByRole("button", { name: "Cancel payment" }).click();
    const purchase = await buy({ ...options, ...CHALLENGED_CARD, onRequiredAction });
    expect(purchase).toMatchObject({
      cause: "three_d_secure_failed",
      amounts: [],
      calls: [...CALLS_UNTIL_CHALLENGE, "person:null"],
    });
  });

  it("ends when the cardholder does not respond", async () => {
    const purchase = await buy({ ...options, ...CHALLENGED_CARD, timing: { cardholderMs: 1_500 } });
    expect(purchase).toMatchObject({ cause: "three_d_secure_abandoned", amounts: [], calls: CALLS_UNTIL_CHALLENGE });
  });

  it("ends when the bank does not respond", async () => {
    const onRequiredAction = (context: BrowserContext) => submitCode(context, "1234");
    const purchase = await buy({
      ...options,
      faults: ["three_ds_abandon"],
      onRequiredAction,
      timing: { cardholderMs: 6_000 },
    });
    expect(purchase).toMatchObject({ cause: "three_d_secure_abandoned", amounts: [] });
  });

  it("is one payment when the merchant does not respond after 3-D Secure", async () => {
    const onRequiredAction = (context: BrowserContext) => submitCode(context, "1234");
    const faults = ["three_ds", "crash_after_charge"];
    const purchase = await buy({ ...options, faults, onRequiredAction, timing: { outcomeMs: 4_000 } });
    expect(purchase.amounts).toEqual([amountMinor]);
    expect(["confirmed", "outcome_unknown"]).toContain(purchase.cause);
  });
});
