/** What the gate decides about single requests. */
import { expect, it } from "vitest";
import { decide } from "../../src/worker/checkout/gate/decision.ts";
import type { RequestFacts } from "../../src/worker/checkout/gate/facts.ts";
import { settle } from "../../src/worker/checkout/gate/settlement.ts";
import { allowReview, INITIAL_STATE, press } from "../../src/worker/checkout/gate/state.ts";
import { PAY, PROCESSOR, paymentOf, QUIET, TOKEN, TOKENISE } from "./gate-requests.ts";

it("lets the review's form carry the card, and nothing else", () => {
  const card = { ...PAY, carriesCard: true };
  const stored = decide(press(INITIAL_STATE), card);
  expect(stored.verdict).toBe("pay");
  const reviewed = allowReview(stored.state);
  expect(decide(reviewed, card).verdict).toBe("refuse");
  const form = { ...card, navigates: "page", isPayUrl: true } as const;
  const placed = decide(reviewed, form);
  expect(placed.verdict).toBe("pay");
  expect(decide(placed.state, form).verdict).toBe("refuse");
  expect(decide(placed.state, PAY).verdict).toBe("refuse");
});

it("never permits as a poll what is named after a payment", () => {
  const paid = decide(press(INITIAL_STATE), { ...PAY, carriesCard: true }).state;
  for (const permit of ["poll", "tracker", "three_d_secure"] as const) {
    const poll: RequestFacts = { ...QUIET, kind: "POST /graphql", permit };
    expect(decide(paid, poll).verdict).toBe("count");
    expect(decide(paid, { ...poll, namesPayment: true }).verdict).toBe("refuse");
  }
});

it("lets no card reach the merchant, and no form be sent, before the press", () => {
  const typing = INITIAL_STATE;
  expect(decide(typing, { ...PAY, carriesCard: true }).verdict).toBe("refuse");
  expect(decide(typing, { ...PAY, navigates: "page" }).verdict).toBe("refuse");
  expect(decide(typing, { ...PAY, isPayUrl: true }).verdict).toBe("refuse");
  expect(decide(typing, PAY).verdict).toBe("count");
  expect(decide(typing, { ...PAY, wasSeen: true }).verdict).toBe("pass");
  expect(decide(typing, TOKENISE).verdict).toBe("pay");
});

it("permits a processor's pages to read with a token as often as they like", () => {
  let { state } = decide(press(INITIAL_STATE), TOKENISE);
  state = settle(state, paymentOf(TOKENISE, press(INITIAL_STATE), state), {
    type: "responded",
    httpStatus: 200,
    values: [TOKEN],
  });
  const poll: RequestFacts = { ...QUIET, ...PROCESSOR, kind: "GET /status", isSafe: true, values: [TOKEN] };
  for (let count = 0; count < 3; count += 1) expect(decide(state, poll).verdict).toBe("count");
});

it("records what an endpoint of the merchant receives after the press, unless it is the same as before", () => {
  const pressed = press(INITIAL_STATE);
  const seen = { ...PAY, wasSeen: true };
  expect(decide(pressed, seen).verdict).toBe("count");
  expect(decide(pressed, { ...seen, isRepeated: true }).verdict).toBe("pass");
  expect(decide(pressed, { ...seen, target: "other" }).verdict).toBe("pass");
});

it("refuses what an endpoint of before receives after it was paid, after a lost payment, and twice with a stored card", () => {
  const pressed = press(INITIAL_STATE);
  const seen: RequestFacts = { ...PAY, wasSeen: true };
  const once = decide(pressed, seen);
  expect([once.verdict, decide(once.state, seen).verdict]).toEqual(["count", "refuse"]);
  expect(decide(once.state, { ...seen, isRepeated: true }).verdict).toBe("pass");
  const paid = decide(pressed, { ...PAY, carriesCard: true });
  expect(decide(paid.state, seen).verdict).toBe("refuse");
  expect(decide(paid.state, { ...seen, kind: "POST /save" }).verdict).toBe("count");
  const lost = settle(paid.state, paymentOf(PAY, pressed, paid.state), { type: "lost" });
  expect(decide(lost, { ...seen, kind: "POST /save" }).verdict).toBe("refuse");
});

it("lets pages read again once something else could have paid", () => {
  const poll: RequestFacts = { ...QUIET, isSafe: true, kind: "GET /status" };
  const first = decide(press(INITIAL_STATE), poll);
  expect([first.verdict, decide(first.state, poll).verdict]).toEqual(["count", "refuse"]);
  const paid = decide(first.state, PAY);
  expect([paid.verdict, decide(paid.state, poll).verdict]).toEqual(["pay", "pass"]);
  const processed = decide(first.state, { ...QUIET, ...PROCESSOR, kind: "POST /confirm" });
  expect([processed.verdict, decide(processed.state, poll).verdict]).toEqual(["count", "count"]);
  expect(decide(press(INITIAL_STATE), { ...poll, wasSeen: true }).verdict).toBe("pass");
  expect(decide(press(INITIAL_STATE), { ...poll, isScripted: false }).verdict).toBe("pass");
});

it("records a page that is opened after the press before anything paid", () => {
  const opened: RequestFacts = { ...QUIET, kind: "GET /place", isSafe: true, navigates: "page" };
  expect(decide(INITIAL_STATE, opened).verdict).toBe("pass");
  expect(decide(press(INITIAL_STATE), opened).verdict).toBe("count");
  const paid = decide(press(INITIAL_STATE), { ...PAY, carriesCard: true });
  expect(decide(paid.state, opened).verdict).toBe("pass");
});
