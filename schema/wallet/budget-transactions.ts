import DataLoader from "dataloader";
import type { Transaction } from "../../generated/prisma/client.ts";
import { type LedgerPage, readLedgerPages } from "../../src/wallet/ledger-page.ts";
import type { Context } from "../context.ts";
import { requireScopedAccountId } from "../owner.ts";
import type { PagePosition } from "../paging.ts";
import { NO_FILTER } from "./transactions.ts";

interface BudgetPage extends LedgerPage {
  readonly budgetId: string;
}

const loaders = new WeakMap<Context, DataLoader<BudgetPage, Transaction[], string>>();

/** Returns a page of the transactions that count against a budget of the caller, newest first. Batched over budgets. */
export function budgetTransactions(
  context: Context,
  { cursor, take }: PagePosition,
  budgetId: string,
): Promise<Transaction[]> {
  let loader = loaders.get(context);
  if (!loader) {
    loader = new DataLoader((requests) => readPages(context, requests), {
      cacheKeyFn: (page) => `${pageKey(page)} ${page.budgetId}`,
    });
    loaders.set(context, loader);
  }
  return loader.load({ budgetId, cursorId: cursor?.id ?? null, take });
}

const pageKey = ({ cursorId, take }: LedgerPage) => `${take} ${cursorId}`;

/** Reads equal pages of several budgets with one query. A field under different aliases can request different pages. */
async function readPages(context: Context, requests: readonly BudgetPage[]): Promise<Transaction[][]> {
  const filter = { ...NO_FILTER, accountId: requireScopedAccountId(context, "transactions:read") };
  const pageByRequest = new Map<BudgetPage, Transaction[]>();
  for (const [page, ...others] of Map.groupBy(requests, pageKey).values()) {
    if (!page) continue;
    const samePage = [page, ...others];
    const ids = samePage.map(({ budgetId }) => budgetId);
    const pages = await readLedgerPages(context.deps, filter, ids, page);
    samePage.forEach((request, i) => {
      pageByRequest.set(request, pages[i] as readonly unknown[] as Transaction[]);
    });
  }
  return requests.map((page) => pageByRequest.get(page) ?? []);
}
