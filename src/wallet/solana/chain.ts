import { getAssociatedTokenAddressSync, unpackAccount, unpackMint } from "@solana/spl-token";
import { type AccountInfo, PublicKey } from "@solana/web3.js";
import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import { cachePromise } from "../../platform/concurrency/memoize.ts";
import { createBalanceCache } from "../balance-cache.ts";
import { ChainUnavailableError, type SolanaChain } from "../chain.ts";
import type { SolanaNetwork } from "../networks.ts";
import { createSolanaRpc } from "./rpc.ts";
import { broadcast, createTransferSearch, signatureState } from "./transfers.ts";

/** Cache duration of the latest blockhash, which is valid for over a minute. */
const BLOCKHASH_TTL_MS = 1_000;
/** Maximum number of accounts in a `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100;

/** Creates a Solana chain that uses the JSON-RPC at `rpcUrl`. */
export function createSolanaChain(network: SolanaNetwork, rpcUrl: string): SolanaChain {
  const rpc = createSolanaRpc(network, rpcUrl);
  const accounts = new DataLoader<PublicKey, AccountInfo<Buffer> | null>(
    (keys) => rpc.request((connection) => connection.getMultipleAccountsInfo([...keys])),
    { cache: false, maxBatchSize: ACCOUNTS_PER_CALL },
  );
  const mints = new LRUCache<string, { tokenProgram: string; decimals: number }>({ max: 1_000 });
  const tokenAccounts = new LRUCache<string, PublicKey>({ max: 20_000 });
  const blockhashes = new LRUCache<"latest", ReturnType<SolanaChain["latestBlockhash"]>>({
    max: 1,
    ttl: BLOCKHASH_TTL_MS,
  });

  /** Reads a mint. The result is cached without expiry because program and decimals never change. */
  async function readMint(asset: string) {
    const cached = mints.get(asset);
    if (cached) return cached;
    const address = new PublicKey(asset);
    const account = await accounts.load(address);
    if (!account) throw new ChainUnavailableError(network.name, "MintNotFound");
    const { decimals } = unpackMint(address, account, account.owner);
    const details = { tokenProgram: account.owner.toBase58(), decimals };
    mints.set(asset, details);
    return details;
  }

  /** Derives the associated token account. The address is cached because its derivation needs elliptic curve arithmetic. */
  async function deriveTokenAccount(owner: string, asset: string) {
    const name = `${owner}:${asset}`;
    const tokenProgram = new PublicKey((await readMint(asset)).tokenProgram);
    const address =
      tokenAccounts.get(name) ??
      getAssociatedTokenAddressSync(new PublicKey(asset), new PublicKey(owner), true, tokenProgram);
    tokenAccounts.set(name, address);
    return { address, tokenProgram };
  }

  const balances = createBalanceCache(async (owner, asset) => {
    if (asset === "native") return BigInt((await accounts.load(new PublicKey(owner)))?.lamports ?? 0);
    const { address, tokenProgram } = await deriveTokenAccount(owner, asset);
    const account = await accounts.load(address);
    // The account is created with the first token that it receives.
    return account ? unpackAccount(address, account, tokenProgram).amount : 0n;
  });
  const searchTransfer = createTransferSearch(rpc);

  return {
    kind: "solana",
    network: network.name,
    rpc,
    tokenAccountAddress: async (asset, owner) => (await deriveTokenAccount(owner, asset)).address.toBase58(),
    tokenBalanceAtomic: (asset, owner) => balances.get(owner, asset),
    nativeBalanceAtomic: (owner) => balances.get(owner, "native"),
    invalidateBalances: (owner) => balances.invalidate(owner),
    mint: readMint,
    async hasTokenAccount(asset, owner) {
      return (await accounts.load((await deriveTokenAccount(owner, asset)).address)) !== null;
    },
    genesisHash: () => rpc.request((connection) => connection.getGenesisHash()),
    latestBlockhash() {
      const cached = blockhashes.get("latest");
      if (cached) return cached;
      const reading = rpc.request((connection) => connection.getLatestBlockhash());
      return cachePromise(blockhashes, "latest", reading);
    },
    transferState: async (query) => searchTransfer(query, (await deriveTokenAccount(query.payer, query.asset)).address),
    broadcast: (signedBase64) => broadcast(rpc, signedBase64),
    signatureState: (signature, lastValidBlockHeight) => signatureState(rpc, signature, lastValidBlockHeight),
  };
}
