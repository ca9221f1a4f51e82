/** Wallet rows: sealed keys and addresses. The cache has no expiry because the rows never change. */
import { LRUCache } from "lru-cache";
import type { Database } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import type { NewWallet, SealedWallet, Vault } from "./vault.ts";

/** Reads the wallets of accounts and of the treasury. */
export interface Wallets {
  ofAccount(accountId: string): Promise<SealedWallet>;
  treasury(): Promise<SealedWallet>;
  /**
   * Returns the wallet that pays a stored payment or trade of the account.
   * @throws {ForeignWalletError} if the wallet is neither the account's nor the treasury's
   */
  payer(row: { readonly accountId: string; readonly walletId: string }): Promise<SealedWallet>;
}

/** A stored payment names the wallet of another account: its row was changed outside Satchel. Nothing was signed. */
export class ForeignWalletError extends Error {
  override readonly name = "ForeignWalletError";
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

  const ofAccount = (accountId: string) =>
    loadCached(`account:${accountId}`, async () =>
      toSealedWallet(await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } })),
    );
  const treasury = () =>
    loadCached(TREASURY_ID, async () => {
      const existing = await db.prisma.wallet.findUnique({ where: { id: TREASURY_ID } });
      if (existing) return toSealedWallet(existing);
      const created = await vault.create(TREASURY_ID, null);
      await db.prisma.wallet.createMany({ data: [created], skipDuplicates: true });
      return toSealedWallet(await db.prisma.wallet.findUniqueOrThrow({ where: { id: TREASURY_ID } }));
    });

  return {
    ofAccount,
    treasury,
    async payer({ accountId, walletId }) {
      const wallet = walletId === TREASURY_ID ? await treasury() : await ofAccount(accountId);
      if (wallet.id !== walletId) throw new ForeignWalletError(`The wallet ${walletId} belongs to another account.`);
      return wallet;
    },
  };
}

/** Creates a wallet for an account without storing it. */
export async function newSealedWallet(vault: Vault, accountId: string): Promise<NewWallet> {
  return await vault.create(newId("wal"), accountId);
}

function toSealedWallet(row: {
  id: string;
  accountId: string | null;
  evmAddress: string;
  solanaAddress: string;
  sealedKeys: Uint8Array<ArrayBuffer>;
  wrappedDataKey: Uint8Array<ArrayBuffer>;
  kekId: string;
}): SealedWallet {
  return { ...row, evmAddress: row.evmAddress as `0x${string}` };
}
