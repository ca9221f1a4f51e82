/** Texts of the order page for every end of an order. */
import { describe, expect, it } from "vitest";
import {
  type Cause,
  FAILURE_MESSAGES,
  isTerminal,
  type OrderKind,
  type OrderState,
  TRANSITIONS,
} from "../../src/checkout/orders/states.ts";
import type { CheckoutOrderErrorCode, CheckoutOrderStatus, OrderRowFragment } from "../../web/generated/graphql.ts";
import { findOutcome, type Outcome } from "../../web/pages/orders/outcomes.ts";

interface End {
  readonly cause: Cause;
  readonly kind: OrderKind;
  readonly to: OrderState;
  readonly retryable: boolean | null;
}

const ENDS: End[] = (Object.keys(TRANSITIONS) as Cause[]).flatMap((cause) => {
  const { kinds, to, retryable } = TRANSITIONS[cause];
  return isTerminal(to) ? kinds.map((kind) => ({ cause, kind, to, retryable })) : [];
});
const PURCHASES = ENDS.filter(({ kind }) => kind === "purchase");
const UNAPPROVED: readonly Cause[] = ["approval_denied", "approval_expired"];
const BOUGHT: readonly Cause[] = ["confirmed", "overcharged"];

function outcomeOf({ cause, kind, to, retryable }: End, decidedAt: string | null = null): Outcome {
  const price = { __typename: "Money", amountMinor: 2_895, currency: "GBP" } as const;
  return findOutcome({
    kind: kind.toUpperCase() as OrderRowFragment["kind"],
    status: to.toUpperCase() as CheckoutOrderStatus,
    retryable,
    errorCode: cause in FAILURE_MESSAGES ? (cause.toUpperCase() as CheckoutOrderErrorCode) : null,
    approval: UNAPPROVED.includes(cause) ? ({ decidedAt } as OrderRowFragment["approval"]) : null,
    amountCharged: BOUGHT.includes(cause) ? price : null,
  });
}

const allTexts = ({ badge, title, amountNote, cardLabel, next }: Outcome) =>
  [badge.text, title, amountNote, cardLabel, next].join(" | ");

it("has a title of its own for each end", () => {
  for (const kind of ["purchase", "explored"]) {
    const titles = ENDS.filter((end) => end.kind === kind).map((end) => outcomeOf(end).title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).not.toContain("The order ended without a purchase.");
    expect(titles).not.toContain("The order ended with an unknown outcome.");
    expect(titles).not.toContain("The exploration ended without a result.");
  }
});

describe.each(PURCHASES)("purchase ended by $cause", (end) => {
  const outcome = outcomeOf(end);
  const text = allTexts(outcome);

  it("states the charge only where the merchant confirmed it", () => {
    const isBought = BOUGHT.includes(end.cause);
    expect(outcome.cardLabel === "Paid with").toBe(isBought);
    expect(text.includes("Charged, as reported by the merchant")).toBe(isBought);
    expect(/unconfirmed/.test(text)).toBe(end.retryable === null);
    if (end.retryable === null) expect(text).not.toMatch(/not charged|not used/);
  });

  it("states an approval only where there was one", () => {
    if (UNAPPROVED.includes(end.cause)) expect(text).not.toMatch(/was approved|Approved|charged|Paid/);
    else expect(outcome.amountNote).toMatch(/Approved|Charged/);
  });

  it("states a next step unless the order succeeded", () => {
    expect(outcome.next === null).toBe(end.cause === "confirmed");
    if (end.retryable !== true) expect(outcome.next ?? "").not.toMatch(/^To order again/);
  });
});

it("distinguishes an approval without a decision from one that was not used in time", () => {
  const expired = PURCHASES.find(({ cause }) => cause === "approval_expired") as End;
  expect(outcomeOf(expired).amountNote).toBe("Requested, not approved");
  expect(outcomeOf(expired, "2026-11-26T16:00:00Z").amountNote).toBe("Approved, not placed in time");
});

it("states no charge and no card for explorations", () => {
  for (const end of ENDS.filter(({ kind }) => kind === "explored")) {
    expect(allTexts(outcomeOf(end))).not.toMatch(/charge|approved (?!pool)|paid/i);
    expect(outcomeOf(end).amountNote).toBeNull();
  }
});

it("describes causes of a newer service by what is known about the charge", () => {
  const end = { kind: "PURCHASE", status: "WORKER_ERROR", approval: null, amountCharged: null } as const;
  const errorCode = "NEWER" as CheckoutOrderErrorCode;
  expect(findOutcome({ ...end, errorCode, retryable: true }).amountNote).toBe("Approved, not charged");
  expect(findOutcome({ ...end, errorCode, retryable: null }).badge.text).toBe("Charge unconfirmed");
});
