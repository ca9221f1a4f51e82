/** Wallet rows: sealed keys and addresses. They never change, so they are cached for good. */
import { LRUCache } from "lru-cache";
import type { Database } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import type { SealedWallet, Vault } from "./vault.ts";

/** The wallets of accounts, and the treasury's. */
export interface Wallets {
  ofAccount(accountId: string): Promise<SealedWallet>;
  treasury(): Promise<SealedWallet>;
  byId(walletId: string): Promise<SealedWallet>;
}

const TREASURY_ID = "wal_treasury";
const CACHED_WALLETS = 10_000;

/** Wallets as the database holds them. The treasury's is created on first use, by whichever node is first. */
export function createWallets(db: Database, vault: Vault): Wallets {
  const cache = new LRUCache<string, SealedWallet>({ max: CACHED_WALLETS });

  async function remembered(key: string, load: () => Promise<SealedWallet>): Promise<SealedWallet> {
    const known = cache.get(key);
    if (known) return known;
    const wallet = await load();
    cache.set(key, wallet);
    return wallet;
  }

  return {
    ofAccount: (accountId) =>
      remembered(`account:${accountId}`, async () =>
        asSealed(await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } })),
      ),
    byId: (walletId) =>
      remembered(walletId, async () => asSealed(await db.prisma.wallet.findUniqueOrThrow({ where: { id: walletId } }))),
    treasury: () =>
      remembered(TREASURY_ID, async () => {
        const existing = await db.prisma.wallet.findUnique({ where: { id: TREASURY_ID } });
        if (existing) return asSealed(existing);
        const created = await vault.create(TREASURY_ID);
        await db.prisma.wallet.createMany({ data: [created], skipDuplicates: true });
        return asSealed(await db.prisma.wallet.findUniqueOrThrow({ where: { id: TREASURY_ID } }));
      }),
  };
}

/** A new wallet for an account, not yet stored. */
export async function newSealedWallet(vault: Vault): Promise<SealedWallet> {
  return await vault.create(newId("wal"));
}

function asSealed(row: {
  id: string;
  evmAddress: string;
  solanaAddress: string;
  sealedKeys: Uint8Array<ArrayBuffer>;
  wrappedDataKey: Uint8Array<ArrayBuffer>;
  kekId: string;
}): SealedWallet {
  return { ...row, evmAddress: row.evmAddress as `0x${string}` };
}
