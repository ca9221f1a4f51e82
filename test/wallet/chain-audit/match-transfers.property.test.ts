/** Matching of transfers with the ledger: random ledgers agree with their chain, and each injected difference is found. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  matchTransfers,
  type OutstandingRow,
  type SettledRow,
  type Transfer,
} from "../../../src/wallet/chain-audit/match-transfers.ts";

interface Ledger {
  readonly transfers: Transfer[];
  readonly settled: SettledRow[];
  readonly outstanding: OutstandingRow[];
}

/** Kinds of payments, each with the transfers that it causes. */
const Payment = fc.record({
  kind: fc.constantFrom(
    "exact",
    "withoutHash",
    "permit",
    "permit2",
    "batch",
    "trade",
    "inFlight",
    "permitInFlight",
    "deposit",
  ),
  wallet: fc.integer({ min: 0, max: 2 }),
  payee: fc.integer({ min: 0, max: 3 }),
  // Sums of two of these are never one of them, so that different payments cannot be confused.
  amounts: fc.uniqueArray(fc.integer({ min: 500, max: 999 }), { minLength: 3, maxLength: 3 }),
});
type Payment = typeof Payment extends fc.Arbitrary<infer T> ? T : never;

/** Builds a ledger and its chain. Amounts are made unique by the payment's position, so there is one way to match them. */
function build(payments: readonly Payment[]): Ledger {
  const ledger: Ledger = { transfers: [], settled: [], outstanding: [] };
  for (const [at, payment] of payments.entries()) add(ledger, payment, at);
  return ledger;
}

function add(ledger: Ledger, { kind, wallet, payee, amounts }: Payment, at: number): unknown {
  const walletId = `wal_${wallet}`;
  const payTo = `payee-${payee}`;
  const [a = 0n, b = 0n, c = 0n] = amounts.map((amount, n) => BigInt(amount) * 10n ** 6n + BigInt(at * 3 + n));
  const common = { walletId, asset: "usdc" };
  const move = (
    direction: "in" | "out",
    amountAtomic: bigint,
    txHash: string,
    asset = "usdc",
    counterparty = payTo,
  ) => {
    const key = `${txHash} ${ledger.transfers.length}`;
    ledger.transfers.push({
      key,
      walletId,
      direction,
      asset,
      counterparty,
      amountAtomic,
      txHash,
      transactionId: null,
    });
  };
  const settle = (id: string, settledAtomic: bigint, txHash: string | null, more: Partial<SettledRow> = {}) =>
    ledger.settled.push({
      id,
      ...common,
      payTo,
      settledAtomic,
      txHash,
      isPermit: false,
      isTrade: false,
      bought: null,
      ...more,
    });
  const sign = (moves: OutstandingRow["moves"], amountAtomic: bigint) =>
    ledger.outstanding.push({ id: `tx_${at}`, ...common, moves, payTo, amountAtomic });
  switch (kind) {
    case "exact":
    case "permit2":
      move("out", a, `0x${at}`);
      return settle(`tx_${at}`, a, `0x${at}`);
    case "withoutHash":
      move("out", a, `0x${at}`);
      return settle(`tx_${at}`, a, null);
    case "permit":
      for (const [n, amount] of [a, b, c].entries()) move("out", amount, `0x${at}-${n}`);
      return settle(`tx_${at}`, a + b + c, `0x${at}-0`, { isPermit: true });
    case "batch":
      // Two rows and one that is not settled yet, in one transaction.
      for (const amount of [a, b, c]) move("out", amount, `0x${at}`);
      settle(`tx_${at}a`, a, `0x${at}`);
      settle(`tx_${at}b`, b, `0x${at}`);
      return sign("fixed", c);
    case "trade":
      move("out", a, `0x${at}`);
      move("in", 1n, `0x${at}`);
      move("in", b, `0x${at}`, "weth");
      return settle(`tx_${at}`, a - 1n, `0x${at}`, { isTrade: true, bought: { asset: "weth", atomic: b } });
    case "inFlight":
      move("out", a, `0x${at}`);
      return sign(amounts[1] && amounts[1] % 2 === 0 ? "fixed" : "capped", a);
    case "permitInFlight":
      move("out", a, `0x${at}-0`, "usdc", "elsewhere");
      move("out", b, `0x${at}-1`);
      return sign("any", a + b);
    case "deposit":
      return move("in", a, `0x${at}`);
  }
}

const differences = ({ transfers, settled, outstanding }: Ledger) => {
  const { unexplained, mismatches } = matchTransfers(transfers, settled, outstanding);
  return unexplained.length + mismatches.length;
};

const payments = fc.array(Payment, { maxLength: 12 });
const isSettled = ({ kind }: Payment) => !["inFlight", "permitInFlight", "deposit"].includes(kind);

describe("matching of transfers", () => {
  it("finds no difference if the chain has exactly the ledger's payments", () => {
    fc.assert(fc.property(payments, (some) => void expect(differences(build(some))).toBe(0)));
  });

  it("gives the same result if an earlier run has assigned transfers", () => {
    fc.assert(
      fc.property(payments, (some) => {
        const ledger = build(some);
        const { assignments } = matchTransfers(ledger.transfers, ledger.settled, ledger.outstanding);
        const transfers = ledger.transfers.map((it) => ({ ...it, transactionId: assignments.get(it.key) ?? null }));
        expect(differences({ ...ledger, transfers })).toBe(0);
      }),
    );
  });

  it("finds a transfer that no row explains", () => {
    fc.assert(
      fc.property(payments, fc.integer({ min: 0, max: 2 }), (some, wallet) => {
        const ledger = build(some);
        // More than any outstanding permit can move.
        const extra = { walletId: `wal_${wallet}`, direction: "out", asset: "usdc", counterparty: "payee-0" } as const;
        ledger.transfers.push({
          ...extra,
          key: "extra",
          amountAtomic: 10n ** 12n,
          txHash: "0xextra",
          transactionId: null,
        });
        expect(
          matchTransfers(ledger.transfers, ledger.settled, ledger.outstanding).unexplained.map(({ key }) => key),
        ).toEqual(["extra"]);
      }),
    );
  });

  it("finds a settled row that differs by one unit, or that has no transfer", () => {
    fc.assert(
      fc.property(
        fc.array(Payment, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.constantFrom(-1n, 1n, null),
        (some, n, by) => {
          fc.pre(some.some(isSettled));
          const ledger = build(some);
          const at = n % ledger.settled.length;
          const row = ledger.settled[at] as SettledRow;
          if (by !== null) ledger.settled[at] = { ...row, settledAtomic: row.settledAtomic + by };
          else {
            const { assignments } = matchTransfers(ledger.transfers, ledger.settled, ledger.outstanding);
            const lost = ledger.transfers.findIndex(({ key }) => assignments.get(key) === row.id);
            ledger.transfers.splice(lost, 1);
          }
          expect(differences(ledger)).toBeGreaterThan(0);
        },
      ),
    );
  });

  it("finds a transfer whose row was deleted", () => {
    fc.assert(
      fc.property(fc.array(Payment, { minLength: 1, maxLength: 12 }), fc.nat(), (some, n) => {
        // An outstanding permit may explain any transfer within its amount.
        const closed = some.filter((it) => it.kind !== "permitInFlight");
        fc.pre(closed.some(({ kind }) => ["exact", "permit2", "permit", "withoutHash"].includes(kind)));
        const ledger = build(closed);
        const payments = ledger.settled.filter(({ isTrade }) => !isTrade);
        const row = payments[n % payments.length] as SettledRow;
        expect(differences({ ...ledger, settled: ledger.settled.filter((it) => it !== row) })).toBeGreaterThan(0);
      }),
    );
  });
});

describe("a closed permit", () => {
  const common = { walletId: "wal_1", asset: "usdc", counterparty: "payee", transactionId: null };
  const draw = (key: string, amountAtomic: bigint): Transfer => ({
    ...common,
    key,
    direction: "out",
    amountAtomic,
    txHash: key,
  });
  const row: SettledRow = {
    ...{ id: "tx_1", walletId: "wal_1", asset: "usdc", payTo: "payee", settledAtomic: 1_000n, txHash: "0x1" },
    ...{ isPermit: true, isTrade: false, bought: null },
  };

  it("does not explain a later draw", () => {
    const { unexplained, mismatches } = matchTransfers([draw("0x1", 1_000n), draw("0x2", 49_000n)], [row], []);
    expect([unexplained.map(({ amountAtomic }) => amountAtomic), mismatches]).toEqual([[49_000n], []]);
  });

  it("differs if it settled with more than the sum of its draws", () => {
    const { mismatches } = matchTransfers(
      [draw("0x1", 1_000n), draw("0x2", 500n)],
      [{ ...row, settledAtomic: 3_000n }],
      [],
    );
    expect(mismatches).toMatchObject([{ kind: "amount", chainAtomic: 1_000n, ledgerAtomic: 3_000n }]);
  });
});

it("compares two payments in one change of a Solana balance by their sum", () => {
  const common = { walletId: "wal_1", asset: "usdc" };
  const pay = (id: string, settledAtomic: bigint): SettledRow => ({
    ...{ id, ...common, payTo: "payee", settledAtomic, txHash: "sig" },
    ...{ isPermit: false, isTrade: false, bought: null },
  });
  const change = (amountAtomic: bigint): Transfer => ({
    ...{
      key: "sig",
      ...common,
      direction: "out",
      counterparty: "payee",
      amountAtomic,
      txHash: "sig",
      transactionId: null,
    },
  });
  expect(matchTransfers([change(7n)], [pay("tx_1", 3n), pay("tx_2", 4n)], [])).toMatchObject({
    mismatches: [],
    unexplained: [],
  });
  expect(matchTransfers([change(8n)], [pay("tx_1", 3n), pay("tx_2", 4n)], []).mismatches).toMatchObject([
    { chainAtomic: 8n, ledgerAtomic: 7n },
  ]);
});
