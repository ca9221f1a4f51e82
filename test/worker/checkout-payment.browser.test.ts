/** What goes wrong once the card is submitted: the shop's ledger never shows two charges, nor one above the approved amount. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { CAP, inBothShops, openWorkerRoom, type Wanted, type WorkerRoom } from "./checkout-room.ts";

let room: WorkerRoom;
beforeAll(async () => {
  room = await openWorkerRoom();
});
afterAll(() => room.stop());

const RUNS = 2;
const times = <Item>(count: number, items: readonly Item[]): Item[] =>
  Array.from({ length: count }, () => items).flat();

/** Drives it, `runs` times beside each other, and answers what the shop's books say of that. */
async function buy(wanted: Wanted, fault: string | null, more: Partial<Wanted> = {}, runs = 1) {
  const books = () => room.stores.admin(`/${wanted.shop}/charges`);
  const before = await books();
  if (fault) await room.stores.order(wanted.shop, fault, { times: runs });
  const drives = await Promise.all(Array.from({ length: runs }, () => room.drive({ ...wanted, ...more })));
  const { charges, attempts } = await books();
  const told = drives.map(({ result, calls, steps }) => ({ cause: result.cause, calls, steps, result }));
  return {
    drives: told,
    ...told[0],
    amounts: charges.slice(before.charges.length).map(({ amountMinor }: { amountMinor: number }) => amountMinor),
    outcomes: attempts.slice(before.attempts.length).map(({ outcome }: { outcome: string }) => outcome),
  };
}

it.each<[fault: string, cause: string, isCharged: boolean, outcome: string]>([
  ["double_submit", "confirmed", true, "charged"],
  ["crash_before_charge", "outcome_unknown", false, "dropped"],
  ["crash_after_charge", "outcome_unknown", true, "charged"],
  ["hang_before_charge", "outcome_unknown", false, "hung"],
  ["hang_after_charge", "outcome_unknown", true, "charged"],
  ["lost_confirmation", "outcome_unknown", true, "charged"],
])("%s is one payment, every time", { timeout: 180_000 }, async (fault, cause, isCharged, outcome) => {
  const answerMs = fault.startsWith("hang") ? 3_000 : 15_000;
  await inBothShops(async (wanted) => {
    const bought = await buy(wanted, fault, { timing: { answerMs } }, RUNS);
    expect(bought.drives.map((drive) => drive.cause)).toEqual(times(RUNS, [cause]));
    const amounts = times(RUNS, isCharged ? [wanted.amountMinor] : []);
    expect(bought).toMatchObject({ amounts, outcomes: times(RUNS, [outcome]) });
    for (const { calls } of bought.drives) expect(calls).toEqual(["card", "submitting"]);
  });
});

it.each<[fault: string, cause: string, charged: [cap: number, notebook: number] | null, outcome: string]>([
  ["decline", "card_declined", null, "declined"],
  ["no_order_number", "outcome_unknown", [2_890, 2_240], "charged"],
  ["overcharge", "confirmed", [3_180, 2_464], "charged"],
  ["price_drop", "confirmed", [2_640, 2_060], "charged"],
  ["slow", "confirmed", [2_890, 2_240], "charged"],
])("%s", { timeout: 90_000 }, async (fault, cause, charged, outcome) => {
  await inBothShops(async (wanted) => {
    const bought = await buy(wanted, fault, { timing: { navigationMs: 15_000, appearMs: 15_000, answerMs: 20_000 } });
    const amounts = charged ? [charged[wanted === CAP ? 0 : 1]] : [];
    expect(bought).toMatchObject({ cause, amounts, outcomes: [outcome], calls: ["card", "submitting"] });
    if (cause === "confirmed") expect(bought.result?.confirmation?.amountChargedMinor).toBe(amounts[0]);
  });
});

it("a card that the bank declines", async () => {
  await inBothShops(async (wanted) => {
    const bought = await buy(wanted, null, { card: { number: "4000000000000002" } });
    expect(bought).toMatchObject({ cause: "card_declined", amounts: [], outcomes: ["declined"] });
  });
});

it("a card that is no card", async () => {
  await inBothShops(async (wanted) => {
    const bought = await buy(wanted, null, { card: { number: "4242424242424241" } });
    expect(bought).toMatchObject({ cause: "card_declined", amounts: [], outcomes: [] });
  });
});

it("pays nothing when the submission cannot be put on record", async () => {
  await inBothShops(async (wanted) => {
    const onSubmitting = () => Promise.reject(new Error("no answer"));
    const bought = await buy(wanted, null, { onSubmitting });
    expect(bought).toMatchObject({ cause: "worker_crashed", amounts: [], outcomes: [] });
  });
});
