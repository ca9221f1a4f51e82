/** Failures after the card is submitted: the store never records two charges, nor a charge above the approved amount. */
import { beforeAll, describe, expect, it } from "vitest";
import { type DriveOptions, GIFT_CARD, NOTEBOOK, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await openWorkerFixture();
});

const SUBMITTED = ["card", "submitting"];
/** Timeouts for faults that are recognised by a missing response. */
const TIMINGS: Record<string, DriveOptions["timing"]> = {
  hang_before_charge: { outcomeMs: 3_000 },
  hang_after_charge: { outcomeMs: 3_000 },
  no_order_number: { confirmationMs: 1_000 },
  slow: { navigationMs: 40_000, appearMs: 30_000, outcomeMs: 40_000 },
};

describe.concurrent.each([GIFT_CARD, NOTEBOOK])("at $store", (options) => {
  const { amountMinor } = options;

  it.each<[fault: string, cause: string, isCharged: boolean, outcome: string]>([
    // First because it lasts longest: the others run concurrently.
    ["slow", "confirmed", true, "charged"],
    ["double_submit", "confirmed", true, "charged"],
    ["crash_before_charge", "outcome_unknown", false, "dropped"],
    ["crash_after_charge", "outcome_unknown", true, "charged"],
    ["hang_before_charge", "outcome_unknown", false, "hung"],
    ["hang_after_charge", "outcome_unknown", true, "charged"],
    ["lost_confirmation", "outcome_unknown", true, "charged"],
    ["no_order_number", "outcome_unknown", true, "charged"],
    ["decline", "card_declined", false, "declined"],
  ])("%s is one payment", { timeout: 120_000 }, async (fault, cause, isCharged, outcome) => {
    const { result, steps, ...drive } = await fixture.drive({
      ...options,
      faults: [fault],
      timing: TIMINGS[fault] ?? {},
    });
    expect({ cause: result.cause, ...drive }, steps.join("\n")).toMatchObject({
      ...{ cause, outcomes: [outcome], calls: SUBMITTED, cartCount: 1 },
      amounts: isCharged ? [amountMinor] : [],
    });
    if (cause === "confirmed") expect(result.confirmation?.amountChargedMinor).toBe(amountMinor);
  });

  it.each<[fault: string, charged: Record<string, number>]>([
    ["overcharge", { harbour: 2_750, bindery: 2_464 }],
    ["price_drop", { harbour: 2_250, bindery: 2_060 }],
  ])("%s is reported with the charged amount", async (fault, charged) => {
    const { result, ...drive } = await fixture.drive({ ...options, faults: [fault] });
    const amountChargedMinor = charged[options.store];
    expect({ result, ...drive }).toMatchObject({
      ...{ result: { cause: "confirmed", confirmation: { amountChargedMinor } }, calls: SUBMITTED },
      ...{ amounts: [amountChargedMinor], outcomes: ["charged"] },
    });
  });

  it("sends no payment with an invalid card number", async () => {
    const { result, ...drive } = await fixture.drive({ ...options, card: { number: "4242424242424241" } });
    expect({ cause: result.cause, ...drive }).toMatchObject({
      ...{ cause: "card_declined", cartCount: 1, amounts: [], outcomes: [] },
    });
  });

  it("reports a card that the bank declines", async () => {
    const { result, ...drive } = await fixture.drive({ ...options, card: { number: "4000000000000002" } });
    expect({ cause: result.cause, ...drive }).toMatchObject({
      ...{ cause: "card_declined", amounts: [], outcomes: ["declined"], calls: SUBMITTED },
    });
  });

  it("pays nothing when the submission cannot be recorded", async () => {
    const onSubmitting = () => Promise.reject(new Error("no response"));
    const { result, ...drive } = await fixture.drive({ ...options, onSubmitting });
    expect({ cause: result.cause, ...drive }).toMatchObject({
      ...{ cause: "worker_crashed", cartCount: 1, amounts: [], outcomes: [] },
    });
  });
});
