import DataLoader from "dataloader";
import type { Transaction } from "../../generated/prisma/client.ts";
import type { ListPage } from "../../src/platform/database/list-page.ts";
import { readGrantLedgerPages } from "../../src/wallet/ledger-page.ts";
import type { Context } from "../context.ts";
import { requireScopedAccountId } from "../owner.ts";
import type { PagePosition } from "../paging.ts";

interface GrantPage extends ListPage {
  readonly grantId: string;
}

const loaders = new WeakMap<Context, DataLoader<GrantPage, Transaction[], string>>();

/** Returns a page of the payments of an application's grant, newest first. Batched over grants. */
export function grantTransactions(
  context: Context,
  { cursor, take }: PagePosition,
  grantId: string,
): Promise<Transaction[]> {
  let loader = loaders.get(context);
  if (!loader) {
    loader = new DataLoader((requests) => readPages(context, requests), {
      cacheKeyFn: (page) => `${pageKey(page)} ${page.grantId}`,
    });
    loaders.set(context, loader);
  }
  return loader.load({ grantId, cursorId: cursor?.id ?? null, take });
}

const pageKey = ({ cursorId, take }: ListPage) => `${take} ${cursorId}`;

/** Reads equal pages of several grants with one query. A field under different aliases can request different pages. */
async function readPages(context: Context, requests: readonly GrantPage[]): Promise<Transaction[][]> {
  requireScopedAccountId(context, "transactions:read");
  const pageByRequest = new Map<GrantPage, Transaction[]>();
  for (const [page, ...others] of Map.groupBy(requests, pageKey).values()) {
    if (!page) continue;
    const samePage = [page, ...others];
    const ids = samePage.map(({ grantId }) => grantId);
    const pages = await readGrantLedgerPages(context.deps, ids, page);
    samePage.forEach((request, i) => {
      pageByRequest.set(request, pages[i] as readonly unknown[] as Transaction[]);
    });
  }
  return requests.map((page) => pageByRequest.get(page) ?? []);
}
