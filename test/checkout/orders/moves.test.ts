/** What holds for every row of the table of moves: a retry never pays twice, and every bad end says what happened to the money. */
import { describe, expect, it } from "vitest";
import { type Cause, isTerminal, MOVES, moveOrder } from "../../../src/checkout/orders/states.ts";

const causes = Object.keys(MOVES) as Cause[];
const causesWhere = (is: (move: (typeof MOVES)[Cause]) => boolean) => causes.filter((cause) => is(MOVES[cause]));

/** The columns that a move writes. */
async function written(cause: Cause) {
  const writes: { errorCode?: string | null; errorMessage?: string | null }[] = [];
  const checkoutOrder = {
    async updateManyAndReturn({ data }: { readonly data: object }) {
      writes.push(data);
      return [];
    },
  };
  await moveOrder({ checkoutOrder } as never, "ord_1", cause);
  return writes[0] ?? {};
}

describe.each(causes)("%s", (cause) => {
  const { to, kinds, card, retryable, retryAction } = MOVES[cause];

  it("may be retried only while the card was not submitted", () => {
    if (retryable === true) expect([card, retryAction]).toEqual(["unsubmitted", "re_preview"]);
  });

  it("is of unknown outcome only once the card was submitted, and then a person looks at it", () => {
    if (isTerminal(to)) expect(retryable === null).toBe(card === "submitted" && to !== "succeeded");
    if (isTerminal(to) && retryable === null) expect(retryAction).toBe("contact_support");
  });

  it("never has an exploration submit a card", () => {
    if ((kinds as readonly string[]).includes("explored")) expect(card).toBe("unsubmitted");
  });

  it("says what comes next exactly where the order ends", () => {
    expect(retryAction !== null).toBe(isTerminal(to));
  });

  it("has a code and a message exactly where the order ends badly", async () => {
    const isBad = isTerminal(to) && !["confirmed", "explored"].includes(cause);
    const { errorCode = null, errorMessage = null } = await written(cause);
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

it("counts on a shop's recipe only what its recipe did", () => {
  const recipes = ["missing_field", "recipe_broken", "time_spent", "confirmed", "overcharged"];
  expect(causesWhere(({ isRecipes }) => isRecipes)).toEqual(recipes);
});

it("has a decline and the bank's check fail before the card was submitted or after", () => {
  expect(causesWhere(({ card }) => card === "either")).toEqual(["card_declined", "three_d_secure_failed"]);
});
