// @module-tag postgresql
/** Every row of the transition table (decisions, "Order states"), and immutability of ended orders. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Cause,
  isTerminal,
  LIVE_STATES,
  type OrderKind,
  type OrderState,
  TERMINAL_STATES,
  TRANSITIONS,
  transitionOrder,
} from "../../../src/checkout/orders/states.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { addAccount, addOrder, readOrder } from "./order-rows.ts";

let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase();
  accountId = await addAccount(fresh.db);
});
afterAll(() => fresh?.close());

type Row = readonly [
  from: OrderState,
  to: OrderState,
  cause: Cause,
  card: "unsubmitted" | "submitted",
  retryable: boolean | null,
  retryAction: string | null,
];

// Copied from the table in the decisions, independent of the code.
const PURCHASES: readonly Row[] = [
  ["approval_required", "dispatched", "approved", "unsubmitted", null, null],
  ["approval_required", "timeout", "approval_expired", "unsubmitted", true, "re_preview"],
  ["approval_required", "payment_gate_hit", "approval_denied", "unsubmitted", false, "none"],
  ["pending", "dispatched", "leased", "unsubmitted", null, null],
  ["dispatched", "dispatched", "leased", "unsubmitted", null, null],
  ["pending", "timeout", "never_taken", "unsubmitted", true, "re_preview"],
  ["dispatched", "price_changed", "price_changed", "unsubmitted", true, "re_preview"],
  ["dispatched", "out_of_stock", "out_of_stock", "unsubmitted", false, "re_preview"],
  ["dispatched", "merchant_error", "shop_unavailable", "unsubmitted", true, "re_preview"],
  ["dispatched", "merchant_error", "form_rejected", "unsubmitted", false, "handoff"],
  ["dispatched", "merchant_error", "guest_checkout_unavailable", "unsubmitted", false, "handoff"],
  ["dispatched", "merchant_error", "card_declined", "submitted", false, "handoff"],
  ["dispatched", "payment_gate_hit", "captcha", "unsubmitted", false, "handoff"],
  ["dispatched", "payment_gate_hit", "login_required", "unsubmitted", false, "handoff"],
  ["dispatched", "payment_gate_hit", "bot_wall", "unsubmitted", false, "handoff"],
  ["dispatched", "payment_gate_hit", "three_d_secure_failed", "submitted", false, "handoff"],
  ["dispatched", "payment_gate_hit", "three_d_secure_abandoned", "submitted", null, "contact_support"],
  ["dispatched", "worker_error", "worker_crashed", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "card_unavailable", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "account_frozen", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "missing_field", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "payment_not_sent", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "recipe_broken", "unsubmitted", false, "contact_support"],
  ["dispatched", "timeout", "time_spent", "unsubmitted", true, "re_preview"],
  ["dispatched", "payment_unconfirmed", "outcome_unknown", "submitted", null, "contact_support"],
  ["dispatched", "succeeded", "confirmed", "submitted", false, "none"],
  ["dispatched", "succeeded", "overcharged", "submitted", false, "contact_support"],
];

const EXPLORATIONS: readonly Row[] = [
  ["pending", "dispatched", "leased", "unsubmitted", null, null],
  ["pending", "timeout", "never_taken", "unsubmitted", true, "re_preview"],
  ["pending", "explored", "explored", "unsubmitted", false, "re_preview"],
  ["dispatched", "explored", "explored", "unsubmitted", false, "re_preview"],
  ["dispatched", "worker_error", "worker_crashed", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "missing_field", "unsubmitted", true, "re_preview"],
  ["dispatched", "timeout", "time_spent", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "account_frozen", "unsubmitted", true, "re_preview"],
  ["dispatched", "worker_error", "policy_ended", "unsubmitted", true, "re_preview"],
  ["dispatched", "merchant_error", "exploration_failed", "unsubmitted", true, "re_preview"],
  ["dispatched", "merchant_error", "exploration_walled", "unsubmitted", true, "re_preview"],
  ["dispatched", "merchant_error", "not_a_shop", "unsubmitted", true, "re_preview"],
  ["pending", "merchant_error", "name_not_allowed", "unsubmitted", true, "re_preview"],
  ["dispatched", "merchant_error", "name_not_allowed", "unsubmitted", true, "re_preview"],
];

const createSubmittedAt = (card: "unsubmitted" | "submitted") => (card === "submitted" ? new Date() : null);

describe.each([
  ["purchase", PURCHASES],
  ["explored", EXPLORATIONS],
] as const)("an order of kind %s", (kind, rows) => {
  it.each(rows)("transitions from %s to %s: %s", async (from, to, cause, card, retryable, retryAction) => {
    const { db } = fresh;
    const longAgo = new Date(0);
    const row = { kind, status: from, submittedAt: createSubmittedAt(card), updatedAt: longAgo };
    const order = await addOrder(db, accountId, row);
    const updated = await transitionOrder(db.prisma, order.id, cause);
    expect(updated).toMatchObject({ status: to, retryable, retryAction });
    expect(updated?.updatedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(updated?.completedAt !== null).toBe(isTerminal(to));
    const isSuccess = ["approved", "leased", "confirmed", "explored"].includes(cause);
    expect(updated?.errorCode).toBe(isSuccess ? null : cause);
    expect(updated?.errorMessage === null).toBe(isSuccess);
    expect(await readOrder(db, order.id)).toEqual(updated);
  });
});

it("allows no transition outside the table", () => {
  expect(new Set([...PURCHASES, ...EXPLORATIONS].map(([, , cause]) => cause))).toEqual(
    new Set(Object.keys(TRANSITIONS)),
  );
  const listed = new Set(
    [...PURCHASES.map((row) => ["purchase", ...row]), ...EXPLORATIONS.map((row) => ["explored", ...row])].map(
      ([kind, from, to, cause]) => `${kind} ${from} ${to} ${cause}`,
    ),
  );
  const known = Object.entries(TRANSITIONS).flatMap(([cause, { from, to, kinds }]) =>
    kinds.flatMap((kind) => from.map((state) => `${kind} ${state} ${to} ${cause}`)),
  );
  // Explorations need no approval, so an approved exploration does not exist.
  expect(new Set(known.filter((transition) => transition !== "explored dispatched dispatched leased"))).toEqual(listed);
});

const CARD = { unsubmitted: false, submitted: true } as const;
const anyState = fc.constantFrom<OrderState>(...LIVE_STATES, ...TERMINAL_STATES);
const anyCause = fc.constantFrom(...(Object.keys(TRANSITIONS) as Cause[]));
const anyKind = fc.constantFrom<OrderKind>("purchase", "explored");

it("transitions only from the states in the table, and never changes an ended order", async () => {
  const { db } = fresh;
  await fc.assert(
    fc.asyncProperty(anyState, anyKind, fc.boolean(), anyCause, async (status, kind, isSubmitted, cause) => {
      const submittedAt = isSubmitted ? new Date() : null;
      const before = await addOrder(db, accountId, { status, kind, submittedAt });
      const updated = await transitionOrder(db.prisma, before.id, cause);
      const { from, kinds, card } = TRANSITIONS[cause];
      const isAllowed =
        (from as readonly string[]).includes(status) &&
        (kinds as readonly string[]).includes(kind) &&
        (card === "either" || CARD[card] === isSubmitted);
      expect(updated !== null).toBe(isAllowed);
      if (!isAllowed || isTerminal(status)) expect(await readOrder(db, before.id)).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

it("ends once under any sequence of causes", async () => {
  const { db } = fresh;
  await fc.assert(
    fc.asyncProperty(fc.array(anyCause, { minLength: 3, maxLength: 12 }), fc.boolean(), async (causes, isSubmitted) => {
      const submittedAt = isSubmitted ? new Date() : null;
      const { id } = await addOrder(db, accountId, { status: "dispatched", submittedAt });
      let ended: object | null = null;
      for (const cause of causes) {
        const updated = await transitionOrder(db.prisma, id, cause, { columns: { amountChargedMinor: 1n } });
        if (ended) expect(updated).toBeNull();
        if (updated && isTerminal(updated.status)) ended = updated;
      }
      if (ended) expect(await readOrder(db, id)).toEqual(ended);
    }),
    { numRuns: 60 },
  );
});

it("applies one of many concurrent transitions, and none of an older lease", async () => {
  const { db } = fresh;
  const { id } = await addOrder(db, accountId, {
    status: "dispatched",
    workerJobId: "wjb_now",
    submittedAt: new Date(),
  });
  expect(await transitionOrder(db.prisma, id, "confirmed", { lease: "wjb_old" })).toBeNull();
  const causes: Cause[] = ["confirmed", "outcome_unknown", "overcharged", "three_d_secure_abandoned", "card_declined"];
  const updated = await Promise.all(
    [...causes, ...causes].map((cause) => transitionOrder(db.prisma, id, cause, { lease: "wjb_now" })),
  );
  expect(updated.filter(Boolean)).toHaveLength(1);
  expect(updated.find(Boolean)).toEqual(await readOrder(db, id));
});
