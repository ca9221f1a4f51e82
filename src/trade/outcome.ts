/** What a mined swap moved, from its receipt and the chain's balances. */
import { type Hex, parseAbi, parseEventLogs, type TransactionReceipt } from "viem";
import type { EvmTransaction, Trade } from "../../generated/prisma/client.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { isWrap, type Token, WETH } from "./tokens.ts";

const TRANSFERS = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const WITHDRAWALS = parseAbi(["event Withdrawal(address indexed src, uint256 wad)"]);

export interface Moved {
  readonly soldAtomic: bigint;
  /** Null when it cannot be told: the network's coin, whose balances the RPC does not show or others changed, unwrapped by nobody. */
  readonly boughtAtomic: bigint | null;
}

export async function readOutcome(
  rpc: EvmRpc,
  trade: Trade,
  swap: EvmTransaction,
  receipt: TransactionReceipt,
  owner: Hex,
): Promise<Moved> {
  const [sell, buy] = [tokenOf(trade.sellToken), tokenOf(trade.buyToken)];
  const sellAtomic = BigInt(trade.sellAmountAtomic.toFixed(0));
  if (isWrap(sell, buy)) return { soldAtomic: sellAtomic, boughtAtomic: sellAtomic };
  const sold = sell.isNative ? BigInt(swap.valueAtomic.toFixed(0)) : -gained(receipt, sell.address, owner);
  const bought = buy.isNative
    ? await gainedOfCoin(
        rpc,
        receipt,
        owner,
        BigInt(swap.valueAtomic.toFixed(0)),
        BigInt(trade.minBuyAtomic.toFixed(0)),
      )
    : gained(receipt, buy.address, owner);
  return { soldAtomic: sold > 0n ? sold : 0n, boughtAtomic: bought === null || bought > 0n ? bought : 0n };
}

function tokenOf(asset: string): Token {
  const isNative = asset === "native";
  return { symbol: "", name: "", decimals: 0, isNative, address: asset as Hex };
}

/** What came in by the token's own account of its transfers, less what went out. */
function gained({ logs }: TransactionReceipt, token: Hex, owner: Hex): bigint {
  const own = logs.filter(({ address }) => address.toLowerCase() === token.toLowerCase());
  const isOwner = (address: Hex) => address.toLowerCase() === owner.toLowerCase();
  return parseEventLogs({ abi: TRANSFERS, logs: own }).reduce(
    (sum, { args }) => sum + (isOwner(args.to) ? args.value : 0n) - (isOwner(args.from) ? args.value : 0n),
    0n,
  );
}

/**
 * The coin leaves no log. Where the swap was the wallet's only transaction of its block, the balance before and after tells, gas
 * added back; else what was unwrapped in the transaction does. Less than the minimum proves nothing: pools of the coin itself
 * unwrap none.
 */
async function gainedOfCoin(
  rpc: EvmRpc,
  receipt: TransactionReceipt,
  owner: Hex,
  sentWei: bigint,
  minimum: bigint,
): Promise<bigint | null> {
  const gainedWei = await gainedByBalance(rpc, receipt, owner, sentWei);
  if (gainedWei !== null) return gainedWei;
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === WETH.address.toLowerCase());
  const unwrapped = parseEventLogs({ abi: WITHDRAWALS, logs }).reduce((sum, { args }) => sum + args.wad, 0n);
  return unwrapped > 0n && unwrapped >= minimum ? unwrapped : null;
}

/** Null with other transactions of the wallet in the block, or when the RPC keeps no states of blocks so old. */
async function gainedByBalance(
  rpc: EvmRpc,
  { blockNumber, ...receipt }: TransactionReceipt,
  owner: Hex,
  sentWei: bigint,
): Promise<bigint | null> {
  const at = (block: bigint) =>
    rpc.ask((client) =>
      Promise.all([
        client.getTransactionCount({ address: owner, blockNumber: block }),
        client.getBalance({ address: owner, blockNumber: block }),
      ]),
    );
  try {
    const [[nonceBefore, before], [nonceAfter, after]] = await Promise.all([at(blockNumber - 1n), at(blockNumber)]);
    if (nonceAfter - nonceBefore !== 1) return null;
    const dataFee = BigInt((receipt as { l1Fee?: Hex | bigint }).l1Fee ?? 0);
    return after - before + receipt.gasUsed * receipt.effectiveGasPrice + dataFee + sentWei;
  } catch (error) {
    // A figure for the owner to read must not keep the sale from being settled.
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}
