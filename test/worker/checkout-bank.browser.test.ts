/** The bank asks the cardholder (3-D Secure), who responds on the merchant's page, or does not. */
import type { BrowserContext, FrameLocator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { GIFT_CARD, NOTEBOOK, openWorkerRoom, type Wanted, type WorkerRoom } from "./checkout-room.ts";

let room: WorkerRoom;
beforeAll(async () => {
  room = await openWorkerRoom();
});

const ASKED = ["card", "submitting", "person:three_d_secure"];
const ASKING = { card: { number: "4000002760003184" } };

function at(context: BrowserContext): FrameLocator {
  const [page] = context.pages();
  if (!page) throw new Error("no page");
  return page.frameLocator('iframe[title^="3-D Secure"]');
}
async function answer(context: BrowserContext, code: string) {
  await at(context).getByLabel(/code/i).fill(code);
  await at(context).getByRole("button", { name: "Confirm" }).click();
}

async function buy(wanted: Wanted) {
  const drive = await room.drive(wanted);
  return { ...drive, cause: drive.result.cause };
}

describe.concurrent.each([GIFT_CARD, NOTEBOOK])("at $shop", (wanted) => {
  const { amountMinor } = wanted;

  it("pays when its owner confirms, after a wrong code too", async () => {
    const person = async (context: BrowserContext) => {
      await answer(context, "0000");
      await at(context).getByText("That code is not right.").waitFor();
      await answer(context, "1234");
    };
    const bought = await buy({ ...wanted, ...ASKING, person });
    expect(bought).toMatchObject({ cause: "confirmed", amounts: [amountMinor], calls: [...ASKED, "person:null"] });
  });

  it("pays nothing when its owner refuses", async () => {
    const person = (context: BrowserContext) => at(context).getByRole("button", { name: "Cancel payment" }).click();
    const bought = await buy({ ...wanted, ...ASKING, person });
    expect(bought).toMatchObject({ cause: "three_d_secure_failed", amounts: [], calls: [...ASKED, "person:null"] });
  });

  it("ends when nobody answers", async () => {
    const bought = await buy({ ...wanted, ...ASKING, timing: { personMs: 1_500 } });
    expect(bought).toMatchObject({ cause: "three_d_secure_abandoned", amounts: [], calls: ASKED });
  });

  it("ends when the bank does not respond", async () => {
    const person = (context: BrowserContext) => answer(context, "1234");
    const bought = await buy({ ...wanted, faults: ["three_ds_abandon"], person, timing: { personMs: 6_000 } });
    expect(bought).toMatchObject({ cause: "three_d_secure_abandoned", amounts: [] });
  });

  it("is one payment when the merchant does not respond after 3-D Secure", async () => {
    const person = (context: BrowserContext) => answer(context, "1234");
    const faults = ["three_ds", "crash_after_charge"];
    const bought = await buy({ ...wanted, faults, person, timing: { answerMs: 4_000 } });
    expect(bought.amounts).toEqual([amountMinor]);
    expect(["confirmed", "outcome_unknown"]).toContain(bought.cause);
  });
});
