/** Wallet rows: sealed keys and addresses. The cache has no expiry because the rows never change. */
import { LRUCache } from "lru-cache";
import type { Database } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import type { SealedWallet, Vault } from "./vault.ts";

/** Reads the wallets of accounts and of the treasury. */
export interface Wallets {
  ofAccount(accountId: string): Promise<SealedWallet>;
  treasury(): Promise<SealedWallet>;
  byId(walletId: string): Promise<SealedWallet>;
}

const TREASURY_ID = "wal_treasury";
const CACHED_WALLETS = 10_000;

/** Creates a reader of wallets in the database. The first node that needs the treasury's wallet creates it. */
export function createWallets(db: Database, vault: Vault): Wallets {
  const cache = new LRUCache<string, SealedWallet>({ max: CACHED_WALLETS });

  async function loadCached(key: string, load: () => Promise<SealedWallet>): Promise<SealedWallet> {
    const cached = cache.get(key);
    if (cached) return cached;
    const wallet = await load();
    cache.set(key, wallet);
    return wallet;
  }

  return {
    ofAccount: (accountId) =>
      loadCached(`account:${accountId}`, async () =>
        toSealedWallet(await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } })),
      ),
    byId: (walletId) =>
      loadCached(walletId, async () =>
        toSealedWallet(await db.prisma.wallet.findUniqueOrThrow({ where: { id: walletId } })),
      ),
    treasury: () =>
      loadCached(TREASURY_ID, async () => {
        const existing = await db.prisma.wallet.findUnique({ where: { id: TREASURY_ID } });
        if (existing) return toSealedWallet(existing);
        const created = await vault.create(TREASURY_ID);
        await db.prisma.wallet.createMany({ data: [created], skipDuplicates: true });
        return toSealedWallet(await db.prisma.wallet.findUniqueOrThrow({ where: { id: TREASURY_ID } }));
      }),
  };
}

/** Creates a wallet for an account without storing it. */
export async function newSealedWallet(vault: Vault): Promise<SealedWallet> {
  return await vault.create(newId("wal"));
}

function toSealedWallet(row: {
  id: string;
  evmAddress: string;
  solanaAddress: string;
  sealedKeys: Uint8Array<ArrayBuffer>;
  wrappedDataKey: Uint8Array<ArrayBuffer>;
  kekId: string;
}): SealedWallet {
  return { ...row, evmAddress: row.evmAddress as `0x${string}` };
}
