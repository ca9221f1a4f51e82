/** Invariants of all order transitions: a retry never pays twice, and each failure states the effect on money. */
import { describe, expect, it } from "vitest";
import { type Cause, isTerminal, TRANSITIONS, transitionOrder } from "../../../src/checkout/orders/states.ts";

const causes = Object.keys(TRANSITIONS) as Cause[];
const causesWhere = (is: (transition: (typeof TRANSITIONS)[Cause]) => boolean) =>
  causes.filter((cause) => is(TRANSITIONS[cause]));

/** Returns the columns that a transition writes. */
async function captureWrites(cause: Cause) {
  const writes: { errorCode?: string | null; errorMessage?: string | null }[] = [];
  const checkoutOrder = {
    async updateManyAndReturn({ data }: { readonly data: object }) {
      writes.push(data);
      return [];
    },
  };
  await transitionOrder({ checkoutOrder } as never, "ord_1", cause);
  return writes[0] ?? {};
}

describe.each(causes)("%s", (cause) => {
  const { to, kinds, card, retryable, retryAction } = TRANSITIONS[cause];

  it("is retryable only while the card is not submitted", () => {
    if (retryable === true) expect([card, retryAction]).toEqual(["unsubmitted", "re_preview"]);
  });

  it("has an unknown outcome only after the card was submitted, and then requires support", () => {
    if (isTerminal(to)) expect(retryable === null).toBe(card === "submitted" && to !== "succeeded");
    if (isTerminal(to) && retryable === null) expect(retryAction).toBe("contact_support");
  });

  it("never submits a card in an exploration", () => {
    if ((kinds as readonly string[]).includes("explored")) expect(card).toBe("unsubmitted");
  });

  it("has a retry action exactly when the order ends", () => {
    expect(retryAction !== null).toBe(isTerminal(to));
  });

  it("has an error code and message exactly when the order fails", async () => {
    const isBad = isTerminal(to) && !["confirmed", "explored"].includes(cause);
    const { errorCode = null, errorMessage = null } = await captureWrites(cause);
    expect(errorCode).toBe(isBad ? cause : null);
    expect(errorMessage !== null).toBe(isBad);
    if (!isBad || !(kinds as readonly string[]).includes("purchase")) return;
    const money =
      retryable === null
        ? /[Dd]o not order again\.$/
        : to === "succeeded"
          ? /purchase succeeded/
          : /Nothing was bought/;
    expect(errorMessage).toMatch(money);
  });
});

it("counts only recipe-related causes for a merchant's recipe", () => {
  const failures = ["missing_field", "payment_not_sent", "recipe_broken", "time_spent", "outcome_unknown"];
  const recipes = [...failures, "confirmed", "overcharged"];
  expect(causesWhere(({ isRecipeRelated: isRecipes }) => isRecipes)).toEqual(recipes);
});

it("allows a decline and a failed 3-D Secure check before and after the card was submitted", () => {
  expect(causesWhere(({ card }) => card === "either")).toEqual(["card_declined", "three_d_secure_failed"]);
});
