/** Amounts sold and bought by a mined swap, from its receipt and the balances on chain. */
import { type Hex, parseAbi, parseEventLogs, type TransactionReceipt } from "viem";
import type { EvmTransaction, Trade } from "../../generated/prisma/client.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { isWrap, type Token, WETH } from "./tokens.ts";

const TRANSFERS = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const WITHDRAWALS = parseAbi(["event Withdrawal(address indexed src, uint256 wad)"]);

export interface Moved {
  readonly soldAtomic: bigint;
  /**
   * Null if unknown. This affects only the native coin, when its balances are unavailable or changed by other transactions and the
   * swap unwrapped too little.
   */
  readonly boughtAtomic: bigint | null;
}

/** Reads the sold and bought amounts of a mined swap. */
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
  const sold = sell.isNative ? BigInt(swap.valueAtomic.toFixed(0)) : -sumTransfers(receipt, sell.address, owner);
  const bought = buy.isNative
    ? await readReceivedNative(
        rpc,
        receipt,
        owner,
        BigInt(swap.valueAtomic.toFixed(0)),
        BigInt(trade.minBuyAtomic.toFixed(0)),
      )
    : sumTransfers(receipt, buy.address, owner);
  return { soldAtomic: sold > 0n ? sold : 0n, boughtAtomic: bought === null || bought > 0n ? bought : 0n };
}

function tokenOf(asset: string): Token {
  const isNative = asset === "native";
  return { symbol: "", name: "", decimals: 0, isNative, address: asset as Hex };
}

/** Returns incoming minus outgoing transfers of the owner, from the token's Transfer events. */
function sumTransfers({ logs }: TransactionReceipt, token: Hex, owner: Hex): bigint {
  const own = logs.filter(({ address }) => address.toLowerCase() === token.toLowerCase());
  const isOwner = (address: Hex) => address.toLowerCase() === owner.toLowerCase();
  return parseEventLogs({ abi: TRANSFERS, logs: own }).reduce(
    (sum, { args }) => sum + (isOwner(args.to) ? args.value : 0n) - (isOwner(args.from) ? args.value : 0n),
    0n,
  );
}

/**
 * Returns the received amount of the native coin, which emits no events. If the swap was the wallet's only transaction in its block,
 * the amount is the balance difference plus gas. Otherwise it is the amount unwrapped in the transaction, if that reaches the
 * minimum. A lower amount is inconclusive, because pools of the native coin do not unwrap.
 */
async function readReceivedNative(
  rpc: EvmRpc,
  receipt: TransactionReceipt,
  owner: Hex,
  sentWei: bigint,
  minimum: bigint,
): Promise<bigint | null> {
  const receivedWei = await readReceivedByBalance(rpc, receipt, owner, sentWei);
  if (receivedWei !== null) return receivedWei;
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === WETH.address.toLowerCase());
  const unwrapped = parseEventLogs({ abi: WITHDRAWALS, logs }).reduce((sum, { args }) => sum + args.wad, 0n);
  return unwrapped > 0n && unwrapped >= minimum ? unwrapped : null;
}

/** Returns null if the block has other transactions of the wallet, or the RPC node has pruned the state of the block. */
async function readReceivedByBalance(
  rpc: EvmRpc,
  { blockNumber, ...receipt }: TransactionReceipt,
  owner: Hex,
  sentWei: bigint,
): Promise<bigint | null> {
  const at = (block: bigint) =>
    rpc.request((client) =>
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
    // This amount is informational; its absence must not prevent settlement.
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}
