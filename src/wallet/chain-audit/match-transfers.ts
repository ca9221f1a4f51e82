/**
 * Assignment of transfers on chain to ledger rows, to the atomic unit. Pure: `compare-ledger.ts` reads the inputs and stores the
 * result. Each outgoing transfer belongs to a settled row, is explained by an outstanding one, or is a difference.
 */

/** A transfer from or to a wallet. Addresses are in the form that `NetworkRules.normalize` returns. */
export interface Transfer {
  /** Identifies the transfer within its network. */
  readonly key: string;
  readonly walletId: string;
  readonly direction: "in" | "out";
  readonly asset: string;
  readonly counterparty: string;
  readonly amountAtomic: bigint;
  readonly txHash: string;
  /** The ledger row that an earlier run assigned; null if there is none. */
  readonly transactionId: string | null;
}

/** A settled ledger row. */
export interface SettledRow {
  readonly id: string;
  readonly walletId: string;
  readonly asset: string;
  readonly payTo: string | null;
  readonly settledAtomic: bigint;
  /** Null if the settlement was recorded without its transaction. */
  readonly txHash: string | null;
  /** A permit may be drawn in several transactions and to any recipient. */
  readonly isPermit: boolean;
  /** The purchase of a trade: bought token and amount. Null for payments, and if the amount is unknown. */
  readonly bought: { readonly asset: string; readonly atomic: bigint } | null;
  readonly isTrade: boolean;
}

/** A reserved or signed ledger row: what its signature can still move. */
export interface OutstandingRow {
  readonly id: string;
  readonly walletId: string;
  readonly asset: string;
  /** `fixed`: exactly the amount to the payee. `capped`: at most that. `any`: at most that, to any recipient. */
  readonly moves: "fixed" | "capped" | "any";
  readonly payTo: string | null;
  readonly amountAtomic: bigint;
}

/** A settled row whose amounts on chain and in the ledger differ. */
export interface Mismatch {
  readonly kind: "amount" | "bought";
  readonly row: SettledRow;
  readonly asset: string;
  readonly chainAtomic: bigint;
  readonly ledgerAtomic: bigint;
}

export interface MatchResult {
  /** New assignments: transfer key → id of the settled row. */
  readonly assignments: ReadonlyMap<string, string>;
  /** Outgoing transfers that no row explains. */
  readonly unexplained: readonly Transfer[];
  readonly mismatches: readonly Mismatch[];
}

/** Largest number of transfers among which the draws of one permit are searched. The search doubles with each. */
const MAX_SUBSET = 16;

/**
 * Matches transfers with ledger rows.
 * @param transfers in the order of the chain: all of the rows' transactions, and all unassigned outgoing ones
 * @param settled rows that are not yet matched
 * @param outstanding rows of the wallets of unassigned transfers
 */
export function matchTransfers(
  transfers: readonly Transfer[],
  settled: readonly SettledRow[],
  outstanding: readonly OutstandingRow[],
): MatchResult {
  const book = createBook(transfers);
  const trades = settled.filter(({ isTrade }) => isTrade);
  const payments = settled.filter(({ isTrade }) => !isTrade);
  const tradeMismatches = trades.flatMap((row) => matchTrade(book, row));
  for (const rows of groupBy(payments, ({ walletId, asset, txHash }) =>
    txHash === null ? null : accountOf({ walletId, asset }, txHash),
  ).values())
    matchTransaction(book, rows);
  for (const row of payments) matchElsewhere(book, row);
  const mismatches = [...groupBy(payments, rowGroupOf).values()].flatMap((rows) => findMismatch(book, rows));
  return {
    assignments: book.assignments,
    unexplained: findUnexplained(book.freeOut(), outstanding),
    mismatches: [...tradeMismatches, ...mismatches],
  };
}

const accountOf = ({ walletId, asset }: { walletId: string; asset: string }, ...more: string[]) =>
  [walletId, asset, ...more].join(" ");

/** Rows of one transaction are compared together: on Solana, their transfers appear as one change of the balance. */
const rowGroupOf = (row: SettledRow) => accountOf(row, row.txHash ?? row.id);

/** The assignments so far. */
interface Book {
  readonly assignments: Map<string, string>;
  /** Unassigned outgoing transfers; with `txHash` those of one transaction. */
  freeOut(account?: string, txHash?: string): Transfer[];
  ofTransaction(walletId: string, asset: string, txHash: string): Transfer[];
  assign(transfer: Transfer, row: SettledRow): void;
  assignedAtomic(row: SettledRow): bigint;
}

function createBook(transfers: readonly Transfer[]): Book {
  const assignments = new Map<string, string>();
  const sums = new Map<string, bigint>();
  const byTransaction = groupBy(transfers, (it) => accountOf(it, it.txHash));
  const outByAccount = groupBy(transfers, (it) => (it.direction === "out" ? accountOf(it) : null));
  const outgoing = transfers.filter(({ direction }) => direction === "out");
  const isFree = ({ key, transactionId }: Transfer) => transactionId === null && !assignments.has(key);
  const add = (rowId: string, { direction, amountAtomic }: Transfer) => {
    if (direction === "out") sums.set(rowId, (sums.get(rowId) ?? 0n) + amountAtomic);
  };
  for (const transfer of outgoing) if (transfer.transactionId !== null) add(transfer.transactionId, transfer);
  return {
    assignments,
    freeOut(account, txHash) {
      if (account === undefined) return outgoing.filter(isFree);
      if (txHash === undefined) return (outByAccount.get(account) ?? []).filter(isFree);
      return (byTransaction.get(`${account} ${txHash}`) ?? []).filter((it) => it.direction === "out" && isFree(it));
    },
    ofTransaction: (walletId, asset, txHash) => byTransaction.get(accountOf({ walletId, asset }, txHash)) ?? [],
    assign(transfer, row) {
      if (!isFree(transfer)) return;
      assignments.set(transfer.key, row.id);
      add(row.id, transfer);
    },
    assignedAtomic: ({ id }) => sums.get(id) ?? 0n,
  };
}

/** Assigns a trade's transfers. The sold and bought amounts are net: a swap may refund a part of what it sold. */
function matchTrade(book: Book, row: SettledRow): Mismatch[] {
  const compare = (kind: Mismatch["kind"], asset: string, ledgerAtomic: bigint): Mismatch[] => {
    if (asset === "native") return [];
    const transfers = row.txHash === null ? [] : book.ofTransaction(row.walletId, asset, row.txHash);
    for (const transfer of transfers) book.assign(transfer, row);
    const inAtomic = sum(transfers.filter(({ direction }) => direction === "in"));
    const outAtomic = sum(transfers.filter(({ direction }) => direction === "out"));
    const chainAtomic = kind === "amount" ? outAtomic - inAtomic : inAtomic - outAtomic;
    return chainAtomic === ledgerAtomic ? [] : [{ kind, row, asset, chainAtomic, ledgerAtomic }];
  };
  const sold = compare("amount", row.asset, row.settledAtomic);
  return row.bought === null ? sold : [...sold, ...compare("bought", row.bought.asset, row.bought.atomic)];
}

/** Assigns the transfers of one transaction to its rows: equal payee and amount first, then equal amount, then the rest. */
function matchTransaction(book: Book, rows: readonly SettledRow[]): void {
  const [first] = rows;
  if (!first || first.txHash === null) return;
  const { txHash } = first;
  const free = () => book.freeOut(accountOf(first), txHash);
  const isUnequal = (row: SettledRow) => book.assignedAtomic(row) !== row.settledAtomic;
  const assignOne = (isMatch: (transfer: Transfer, row: SettledRow) => boolean) => {
    for (const row of rows.filter(isUnequal)) {
      const transfer = free().find((it) => isMatch(it, row));
      if (transfer) book.assign(transfer, row);
    }
  };
  const isMissing = (row: SettledRow, { amountAtomic }: Transfer) =>
    row.settledAtomic - book.assignedAtomic(row) === amountAtomic;
  assignOne((transfer, row) => isMissing(row, transfer) && transfer.counterparty === row.payTo);
  assignOne((transfer, row) => isMissing(row, transfer));
  for (const transfer of free()) {
    const left = rows.filter(isUnequal);
    const row = left.find(({ payTo }) => payTo === transfer.counterparty) ?? left[0];
    if (row) book.assign(transfer, row);
  }
}

/** Assigns transfers of other transactions: the draws of a permit, and payments that settled without their transaction. */
function matchElsewhere(book: Book, row: SettledRow): void {
  const missingAtomic = row.settledAtomic - book.assignedAtomic(row);
  if (missingAtomic <= 0n || (row.txHash !== null && !row.isPermit)) return;
  const free = book.freeOut(accountOf(row));
  const toPayee = free.filter(({ counterparty }) => counterparty === row.payTo);
  const found = toPayee.filter(({ amountAtomic }) => amountAtomic === missingAtomic).slice(0, 1);
  if (found.length === 0 && row.isPermit)
    found.push(...(findSubset(toPayee, missingAtomic) ?? findSubset(free, missingAtomic) ?? []));
  for (const transfer of found) book.assign(transfer, row);
}

/** Returns transfers whose amounts add up to the sum, the oldest first; null if there are none. */
function findSubset(transfers: readonly Transfer[], sumAtomic: bigint): Transfer[] | null {
  const candidates = transfers.filter(({ amountAtomic }) => amountAtomic <= sumAtomic).slice(0, MAX_SUBSET);
  const search = (from: number, leftAtomic: bigint): Transfer[] | null => {
    if (leftAtomic === 0n) return [];
    for (let at = from; at < candidates.length; at++) {
      const transfer = candidates[at] as Transfer;
      if (transfer.amountAtomic === 0n || transfer.amountAtomic > leftAtomic) continue;
      const rest = search(at + 1, leftAtomic - transfer.amountAtomic);
      if (rest) return [transfer, ...rest];
    }
    return null;
  };
  return search(0, sumAtomic);
}

/** Compares the rows of one transaction. Rows that agree alone are not part of a mismatch. */
function findMismatch(book: Book, rows: readonly SettledRow[]): Mismatch[] {
  const unequal = rows.filter((row) => book.assignedAtomic(row) !== row.settledAtomic);
  const [row] = unequal;
  if (!row) return [];
  const chainAtomic = unequal.reduce((total, each) => total + book.assignedAtomic(each), 0n);
  const ledgerAtomic = unequal.reduce((total, each) => total + each.settledAtomic, 0n);
  return chainAtomic === ledgerAtomic ? [] : [{ kind: "amount", row, asset: row.asset, chainAtomic, ledgerAtomic }];
}

/**
 * Returns the transfers that no outstanding row explains. First, rows of a fixed amount explain a transfer of that amount to their
 * payee. The others explain transfers up to their total. Rows with a payee precede those that can pay any address, so the order of the
 * transfers has no effect.
 */
function findUnexplained(transfers: readonly Transfer[], outstanding: readonly OutstandingRow[]): Transfer[] {
  const fixed = groupBy(outstanding, (row) =>
    row.moves === "fixed" ? accountOf(row, row.payTo ?? "", `${row.amountAtomic}`) : null,
  );
  const totalsAtomic = new Map<string, bigint>();
  const poolOf = (row: { walletId: string; asset: string }, payTo: string | null) => accountOf(row, payTo ?? "anyone");
  for (const row of outstanding) {
    if (row.moves === "fixed") continue;
    const pool = poolOf(row, row.moves === "any" ? null : row.payTo);
    totalsAtomic.set(pool, (totalsAtomic.get(pool) ?? 0n) + row.amountAtomic);
  }
  const rest = transfers.filter((it) => !fixed.get(accountOf(it, it.counterparty, `${it.amountAtomic}`))?.pop());
  return rest.filter((transfer) => {
    const pools = [poolOf(transfer, transfer.counterparty), poolOf(transfer, null)];
    const availableAtomic = pools.map((pool) => totalsAtomic.get(pool) ?? 0n);
    if (availableAtomic.reduce((total, each) => total + each, 0n) < transfer.amountAtomic) return true;
    let leftAtomic = transfer.amountAtomic;
    for (const [at, pool] of pools.entries()) {
      const available = availableAtomic[at] ?? 0n;
      const used = available < leftAtomic ? available : leftAtomic;
      totalsAtomic.set(pool, available - used);
      leftAtomic -= used;
    }
    return false;
  });
}

const sum = (transfers: readonly Transfer[]) => transfers.reduce((total, { amountAtomic }) => total + amountAtomic, 0n);

/** Groups items by key, in their order. Items with the key null are omitted. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
