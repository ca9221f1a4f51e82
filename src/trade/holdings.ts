/** Tokens in the account's wallet: those that trades accept by symbol, and those that the account has traded. */
import { LRUCache } from "lru-cache";
import { encodeFunctionData, erc20Abi, hexToBigInt } from "viem";
import { requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import type { TradeDeps } from "./deps.ts";
import { callUntrusted } from "./token-metadata.ts";
import { assetOf, KNOWN_TOKENS, type Token, TRADE_NETWORK, USDC } from "./tokens.ts";
import { usdValueOf } from "./usd-value.ts";

/** A balance above zero. */
export interface Holding {
  /** The contract address, or `native`. */
  readonly id: string;
  readonly token: Token;
  readonly balanceAtomic: bigint;
  /** Whether trades accept the token by symbol. The name of any other token is chosen by its contract. */
  readonly isListed: boolean;
  readonly owner: `0x${string}`;
}

const MAX_TRADED_TOKENS = 100;
const CACHED_VALUES = 10_000;
const VALUE_TTL_MS = 60_000;
/** A page does not wait longer for the exchange. */
const VALUE_TIMEOUT_MS = 3_000;

// Tokens that arrived without a trade, such as advertisements sent to many wallets, are not among them.
const TRADED: Statement = {
  name: "traded-tokens",
  text: `SELECT DISTINCT ON (asset) asset, symbol, decimals FROM (
      SELECT sell_token AS asset, sell_symbol AS symbol, sell_decimals AS decimals, created_at FROM trades WHERE account_id = $1
      UNION ALL SELECT buy_token, buy_symbol, buy_decimals, created_at FROM trades WHERE account_id = $1
    ) AS traded WHERE NOT asset = ANY($2::text[]) ORDER BY asset, created_at DESC LIMIT ${MAX_TRADED_TOKENS}`,
};

const LISTED_ASSETS = KNOWN_TOKENS.map(assetOf);

/**
 * Reads the balances with one batch of requests. A token whose contract fails is omitted. Empty if trading has no network.
 *
 * @throws {ForbiddenError | ChainUnavailableError}
 */
export async function listHoldings(deps: TradeDeps, viewer: Viewer | null): Promise<Holding[]> {
  const account = requireAccount(viewer);
  requireScope(account, "balance:read");
  if (!deps.chains.networks.includes(TRADE_NETWORK)) return [];
  const [{ evmAddress: owner }, traded] = await Promise.all([
    deps.wallets.ofAccount(account.accountId),
    deps.db.query<{ asset: string; symbol: string; decimals: number }>(TRADED, [account.accountId, LISTED_ASSETS]),
  ]);
  const others = traded.map(({ asset, symbol, decimals }): Token => {
    return { symbol, name: symbol, address: asset as `0x${string}`, decimals, isNative: false };
  });
  const holdings = [...KNOWN_TOKENS, ...others].map(async (token, index): Promise<Holding> => {
    const isListed = index < KNOWN_TOKENS.length;
    const balanceAtomic = await readBalance(deps, token, owner, isListed);
    return { id: assetOf(token), token, balanceAtomic, isListed, owner };
  });
  return (await Promise.all(holdings)).filter(({ balanceAtomic }) => balanceAtomic > 0n);
}

async function readBalance(
  { chains }: TradeDeps,
  { isNative, address }: Token,
  owner: `0x${string}`,
  isListed: boolean,
): Promise<bigint> {
  const chain = chains.evm(TRADE_NETWORK);
  if (isNative) return await chain.nativeBalanceAtomic(owner);
  if (isListed) return await chain.tokenBalanceAtomic(address, owner);
  // A hostile contract could consume the gas of a common multicall.
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [owner] });
  const result = await callUntrusted(chain.rpc, address, data);
  return result?.length === 66 ? hexToBigInt(result) : 0n;
}

const values = new WeakMap<object, LRUCache<string, Promise<bigint | null>>>();

/** Returns the value of a holding at the exchange's price in micro-USD, at most a minute old; null if it has none. */
export async function valueHolding(deps: TradeDeps, { token, balanceAtomic, owner }: Holding): Promise<bigint | null> {
  const { dex } = deps.trading;
  if (token.address === USDC.address) return balanceAtomic;
  if (!dex) return null;
  const cache =
    values.get(dex) ?? new LRUCache<string, Promise<bigint | null>>({ max: CACHED_VALUES, ttl: VALUE_TTL_MS });
  values.set(dex, cache);
  const key = `${token.address}:${balanceAtomic}`;
  const cached = cache.get(key);
  if (cached) return await cached;
  const sale = { sell: token, buy: token, sellAtomic: balanceAtomic, buyAtomic: 0n, taker: owner };
  const value = Promise.race([
    usdValueOf(dex, sale).catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), VALUE_TIMEOUT_MS).unref()),
  ]);
  cache.set(key, value);
  return await value;
}
