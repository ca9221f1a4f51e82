import DataLoader from "dataloader";
import type { Transaction } from "../../generated/prisma/client.ts";
import { type LedgerPage, readLedgerPages } from "../../src/wallet/ledger-page.ts";
import type { Context } from "../context.ts";
import { ownAccountIdWithin } from "../owner.ts";
import type { PagePlace } from "../paging.ts";
import { EVERYTHING } from "./transactions.ts";

interface BudgetPage extends LedgerPage {
  readonly budgetId: string;
}

const loaders = new WeakMap<Context, DataLoader<BudgetPage, Transaction[], string>>();

/** A page of what counts against one of the caller's budgets, newest first. Many budgets, one query. */
export function budgetTransactions(
  context: Context,
  { cursor, take }: PagePlace,
  budgetId: string,
): Promise<Transaction[]> {
  let loader = loaders.get(context);
  if (!loader) {
    loader = new DataLoader((wanted) => readPages(context, wanted), {
      cacheKeyFn: (page) => `${pageKey(page)} ${page.budgetId}`,
    });
    loaders.set(context, loader);
  }
  return loader.load({ budgetId, cursorId: cursor?.id ?? null, take });
}

const pageKey = ({ cursorId, take }: LedgerPage) => `${take} ${cursorId}`;

/** A field asks for the same page of every budget; the same field under another alias may ask for another. */
async function readPages(context: Context, wanted: readonly BudgetPage[]): Promise<Transaction[][]> {
  const filter = { ...EVERYTHING, accountId: ownAccountIdWithin(context, "transactions:read") };
  const found = new Map<BudgetPage, Transaction[]>();
  for (const [page, ...others] of Map.groupBy(wanted, pageKey).values()) {
    if (!page) continue;
    const alike = [page, ...others];
    const ids = alike.map(({ budgetId }) => budgetId);
    const pages = await readLedgerPages(context.deps, filter, ids, page);
    alike.forEach((one, i) => {
      found.set(one, pages[i] as readonly unknown[] as Transaction[]);
    });
  }
  return wanted.map((page) => found.get(page) ?? []);
}
