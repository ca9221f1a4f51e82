/** The bank asks the card's owner: a person answers on the shop's own page, or nobody does. */
import type { BrowserContext, FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inBothShops, openWorkerRoom, type Wanted, type WorkerRoom } from "./checkout-room.ts";

let room: WorkerRoom;
beforeAll(async () => {
  room = await openWorkerRoom();
});
afterAll(() => room.stop());

const ASKED = ["card", "submitting", "person:three_d_secure"];

function at(context: BrowserContext): FrameLocator {
  const [page] = context.pages();
  if (!page) throw new Error("no page");
  return page.frameLocator('iframe[title^="3-D Secure"]');
}
async function answer(context: BrowserContext, code: string) {
  await at(context).getByLabel(/code/i).fill(code);
  await at(context).getByRole("button", { name: "Confirm" }).click();
}

async function buy(wanted: Wanted, more: Partial<Wanted>) {
  const before = (await room.stores.admin(`/${wanted.shop}/charges`)).charges.length;
  const drive = await room.drive({ ...wanted, ...more });
  const { charges } = await room.stores.admin(`/${wanted.shop}/charges`);
  const amounts = charges.slice(before).map(({ amountMinor }: { amountMinor: number }) => amountMinor);
  return { ...drive, cause: drive.result.cause, amounts };
}
const ASKING = { card: { number: "4000002760003184" } };

it("pays when its owner confirms, after a wrong code too", async () => {
  await inBothShops(async (wanted) => {
    const person = async (context: BrowserContext) => {
      await answer(context, "0000");
      await at(context).getByText("That code is not right.").waitFor();
      await answer(context, "1234");
    };
    const bought = await buy(wanted, { ...ASKING, person, timing: { personMs: 30_000 } });
    expect(bought).toMatchObject({
      cause: "confirmed",
      amounts: [wanted.amountMinor],
      calls: [...ASKED, "person:null"],
    });
  });
});

it("pays nothing when its owner refuses", async () => {
  await inBothShops(async (wanted) => {
    const person = (context: BrowserContext) => at(context).getByRole("button", { name: "Cancel payment" }).click();
    const bought = await buy(wanted, { ...ASKING, person, timing: { personMs: 30_000 } });
    expect(bought).toMatchObject({ cause: "three_d_secure_failed", amounts: [], calls: [...ASKED, "person:null"] });
  });
});

it("ends when nobody answers", async () => {
  await inBothShops(async (wanted) => {
    const bought = await buy(wanted, { ...ASKING, timing: { personMs: 1_500 } });
    expect(bought).toMatchObject({ cause: "three_d_secure_abandoned", amounts: [], calls: ASKED });
  });
});

it("ends when the bank falls silent", async () => {
  await inBothShops(async (wanted) => {
    await room.stores.order(wanted.shop, "three_ds_abandon", { times: 1 });
    const person = (context: BrowserContext) => answer(context, "1234");
    const bought = await buy(wanted, { person, timing: { personMs: 6_000 } });
    expect(bought).toMatchObject({ cause: "three_d_secure_abandoned", amounts: [] });
  });
});

it("is one payment when the shop falls silent after the bank", async () => {
  await inBothShops(async (wanted) => {
    await room.stores.order(wanted.shop, "three_ds", { times: 1 });
    await room.stores.order(wanted.shop, "crash_after_charge", { times: 1 });
    const person = (context: BrowserContext) => answer(context, "1234");
    const bought = await buy(wanted, { person, timing: { personMs: 30_000, answerMs: 4_000 } });
    expect(bought.amounts).toEqual([wanted.amountMinor]);
    expect(["confirmed", "outcome_unknown"]).toContain(bought.cause);
  });
});
