/**
 * The gate's decision against merchants and processors that charge each request that reaches them. There is at most one charge,
 * and none before the submission is recorded, regardless of what profiles name.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { decide } from "../../src/worker/checkout/gate/decision.ts";
import type { Permit, RequestFacts } from "../../src/worker/checkout/gate/facts.ts";
import { settle } from "../../src/worker/checkout/gate/settlement.ts";
import {
  allowAfterChallenge,
  close,
  type GateState,
  INITIAL_STATE,
  press,
} from "../../src/worker/checkout/gate/state.ts";
import { PAY, PROCESSOR, paymentOf, QUIET, TOKEN, TOKENISE } from "./gate-requests.ts";

/** How a merchant is paid. `charges`: whether a request that arrives charges the card. */
interface World {
  /** What the merchant's own profile permits the last step as. */
  readonly permit?: Permit;
  readonly steps: readonly RequestFacts[];
  charges(facts: RequestFacts, isCardKnown: boolean): boolean;
}

const isPay = ({ kind }: RequestFacts) => kind === PAY.kind;
const WORLDS: Readonly<Record<string, World>> = {
  "the merchant receives the card": {
    steps: [{ ...PAY, carriesCard: true }],
    charges: ({ carriesCard }) => carriesCard,
  },
  "the merchant receives a token, by any method": {
    steps: [TOKENISE, { ...PAY, values: [TOKEN] }, { ...PAY, kind: "GET /pay", isSafe: true, values: [TOKEN] }],
    charges: ({ values, target }) => target === "merchant" && values.includes(TOKEN),
  },
  "the processor charges": {
    steps: [
      { ...QUIET, kind: "POST /intent" },
      { ...TOKENISE, kind: "POST /confirm" },
    ],
    charges: ({ carriesCard }) => carriesCard,
  },
  "the processor charges what it stored": {
    steps: [TOKENISE, { ...QUIET, ...PROCESSOR, kind: "POST /confirm", values: [TOKEN] }],
    charges: ({ kind, values }) => kind === "POST /confirm" && values.includes(TOKEN),
  },
  "the merchant captures what the processor confirmed": {
    steps: [{ ...QUIET, kind: "POST /order" }, TOKENISE, PAY],
    charges: (facts, isCardKnown) => isCardKnown && isPay(facts),
  },
  "the page encrypts the card": {
    steps: [{ ...PAY, hasBlob: true }],
    charges: isPay,
  },
  "the processor receives the encrypted card": {
    steps: [{ ...PAY, ...PROCESSOR, source: "merchant", hasBlob: true }],
    charges: isPay,
  },
  "the card is stored": { steps: [PAY], charges: isPay },
  "the card is stored, and an endpoint of before receives the payment": {
    steps: [{ ...PAY, wasSeen: true }],
    charges: isPay,
  },
  "the merchant completes the order that a token paid for": {
    steps: [TOKENISE, { ...QUIET, kind: "POST /transaction", values: [TOKEN] }, { ...PAY, namesPayment: true }],
    charges: (facts, isCardKnown) => isCardKnown && isPay(facts),
    permit: "completion",
  },
};
/** Merchants against the HTTP standard: a request with a safe method charges the stored card. */
const READING_WORLDS: Readonly<Record<string, World>> = {
  "a page": { steps: [{ ...PAY, isSafe: true, isScripted: false, navigates: "page" }], charges: isPay },
  "a script": { steps: [{ ...PAY, isSafe: true }], charges: isPay },
};

const permits: readonly (Permit | null)[] = [null, "poll", "tracker", "three_d_secure", "completion"];
const noise: readonly RequestFacts[] = [
  QUIET,
  { ...QUIET, wasSeen: true },
  { ...QUIET, isBeacon: true },
  { ...QUIET, isSafe: true, kind: "GET /status" },
  { ...QUIET, target: "other", origin: "https://tracker.example", kind: "POST /collect" },
  { ...QUIET, ...PROCESSOR, kind: "POST /telemetry" },
  {
    ...QUIET,
    target: "issuer",
    source: "issuer",
    origin: "https://bank.example",
    kind: "POST /acs",
    navigates: "frame",
  },
];

interface Action {
  readonly step: number;
  readonly noise: number | null;
  readonly permit: Permit | null;
  readonly outcome: "responded" | "declined" | "failed" | "lost" | "unsent" | "pending";
}

const anyAction: fc.Arbitrary<Action> = fc.record({
  step: fc.nat(),
  noise: fc.option(fc.nat({ max: noise.length - 1 }), { freq: 3 }),
  permit: fc.constantFrom(...permits),
  outcome: fc.constantFrom("responded", "responded", "responded", "failed", "lost", "unsent", "pending"),
});

/** Runs requests of a page, which may repeat and reorder them. Returns the charges. */
function run(world: World, actions: readonly Action[], between: (state: GateState, index: number) => GateState) {
  let state = press(INITIAL_STATE);
  let charges = 0;
  let chargesUnrecorded = 0;
  let isCardKnown = false;
  let isTokenKnown = false;
  actions.forEach((action, index) => {
    state = between(state, index);
    const { steps } = world;
    const sent = action.noise === null ? steps[action.step % steps.length] : noise[action.noise];
    const facts: RequestFacts = { ...(sent ?? QUIET), permit: action.permit };
    // A page cannot send a token before it has received it.
    if (facts.values.includes(TOKEN) && !isTokenKnown) return;
    const before = state;
    const { verdict, state: after } = decide(before, facts);
    state = after;
    if (verdict === "refuse") return;
    const isUnsent = action.outcome === "unsent";
    if (!isUnsent && world.charges(facts, isCardKnown)) {
      charges += 1;
      if (verdict === "pass") chargesUnrecorded += 1;
    }
    if (!isUnsent && facts.carriesCard) isCardKnown = true;
    if (facts.carriesCard && (action.outcome === "responded" || action.outcome === "failed")) isTokenKnown = true;
    if (verdict === "pay" && action.outcome !== "pending")
      state = settle(state, paymentOf(facts, before, after), outcomeOf(action));
  });
  return { charges, chargesUnrecorded };
}

function outcomeOf({ outcome }: Action) {
  if (outcome === "lost" || outcome === "unsent") return { type: outcome } as const;
  return { type: "responded", httpStatus: outcome === "failed" ? 502 : 200, values: [TOKEN] } as const;
}

it.each(Object.entries(WORLDS))("charges at most once, and only as recorded, where %s", (_name, world) => {
  fc.assert(
    fc.property(fc.array(anyAction, { minLength: 1, maxLength: 14 }), (actions) => {
      expect(run(world, actions, (state) => state)).toEqual({
        charges: expect.toSatisfy((n) => n <= 1),
        chargesUnrecorded: 0,
      });
    }),
    { numRuns: 1_500 },
  );
});

it.each(Object.entries(READING_WORLDS))(
  "charges at most once where %s reads to pay, regardless of other reads",
  (_name, world) => {
    const isRead = ({ noise: at }: Action) => at === null || noise[at]?.isSafe === true || noise[at]?.isBeacon === true;
    fc.assert(
      fc.property(fc.array(anyAction, { minLength: 1, maxLength: 14 }), (actions) => {
        expect(run(world, actions.filter(isRead), (state) => state)).toEqual({
          charges: expect.toSatisfy((n) => n <= 1),
          chargesUnrecorded: 0,
        });
      }),
      { numRuns: 500 },
    );
  },
);

it.each(Object.entries({ ...WORLDS, ...READING_WORLDS }))(
  "charges nothing once the gate is closed, where %s",
  (_name, world) => {
    fc.assert(
      fc.property(fc.array(anyAction, { minLength: 1, maxLength: 8 }), (actions) => {
        expect(run(world, actions, close).charges).toBe(0);
      }),
      { numRuns: 300 },
    );
  },
);

it.each(Object.entries(WORLDS))(
  "charges at least once without profile, fault and repetition, where %s",
  (_name, world) => {
    const actions = world.steps.map((_, step): Action => {
      const permit = step === world.steps.length - 1 ? (world.permit ?? null) : null;
      return { step, noise: null, permit, outcome: "responded" };
    });
    expect(run(world, actions, (state) => state).charges).toBe(1);
  },
);

it("charges a second time at most after all challenges, and only what is no repetition of a lost payment", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(WORLDS)),
      fc.array(anyAction, { minLength: 2, maxLength: 14 }),
      fc.nat({ max: 6 }),
      (world, actions, first) => {
        const { charges } = run(world, actions, (state, index) =>
          index >= first ? allowAfterChallenge(state) : state,
        );
        expect(charges).toBeLessThanOrEqual(2);
      },
    ),
    { numRuns: 1_000 },
  );
  const lost = settle(
    press(INITIAL_STATE),
    paymentOf(PAY, press(INITIAL_STATE), decide(press(INITIAL_STATE), PAY).state),
    { type: "lost" },
  );
  expect(decide(allowAfterChallenge(lost), { ...PAY, carriesCard: true }).verdict).toBe("refuse");
});
