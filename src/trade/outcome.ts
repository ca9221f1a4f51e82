/** Amounts sold and bought by a mined swap, from its receipt and the balances on chain. */
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import type { EvmTransaction, Trade } from "../../generated/prisma/client.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { callUntrusted } from "./token-metadata.ts";
import { isWrap, KNOWN_TOKENS, type Token, WETH } from "./tokens.ts";

const TRANSFERS = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const WITHDRAWALS = parseAbi(["event Withdrawal(address indexed src, uint256 wad)"]);

const WORD_CHARACTERS = 2 + 64;

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
  const sold = sell.isNative
    ? await readSoldNative(rpc, receipt, owner, BigInt(swap.valueAtomic.toFixed(0)))
    : -(await readTokenChange(rpc, receipt, sell.address, owner));
  const bought = buy.isNative
    ? await readReceivedNative(
        rpc,
        receipt,
        owner,
        BigInt(swap.valueAtomic.toFixed(0)),
        BigInt(trade.minBuyAtomic.toFixed(0)),
      )
    : await readTokenChange(rpc, receipt, buy.address, owner);
  return { soldAtomic: sold > 0n ? sold : 0n, boughtAtomic: bought === null || bought > 0n ? bought : 0n };
}

function tokenOf(asset: string): Token {
  const isNative = asset === "native";
  return { symbol: "", name: "", decimals: 0, isNative, address: asset as Hex };
}

/**
 * Returns the change of the owner's balance. The events of a listed token state it. Any other contract may emit events that differ
 * from its balances, such as the amount before a fee. There the balances before and after the block are compared. The events apply if
 * another transaction moved the token in that block, or if the node has pruned its state.
 */
async function readTokenChange(rpc: EvmRpc, receipt: TransactionReceipt, token: Hex, owner: Hex): Promise<bigint> {
  const claimed = sumTransfers(receipt, token, owner);
  if (KNOWN_TOKENS.some(({ address }) => address.toLowerCase() === token.toLowerCase())) return claimed;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [owner] });
  const { blockHash, blockNumber, transactionHash } = receipt;
  try {
    const [before, after, logs] = await Promise.all([
      callUntrusted(rpc, token, data, blockNumber - 1n),
      callUntrusted(rpc, token, data, blockNumber),
      rpc.request((client) => client.getLogs({ address: token, event: TRANSFERS[0], blockHash })),
    ]);
    const isOther = logs.some((log) => log.transactionHash !== transactionHash && isTransferOf(log.args, owner));
    if (isOther || before?.length !== WORD_CHARACTERS || after?.length !== WORD_CHARACTERS) return claimed;
    return hexToBigInt(after) - hexToBigInt(before);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return claimed;
    throw error;
  }
}

function isTransferOf(
  { from, to }: { readonly from?: Hex | undefined; readonly to?: Hex | undefined },
  owner: Hex,
): boolean {
  return [from, to].some((address) => address?.toLowerCase() === owner.toLowerCase());
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

/** Returns what was sent less what the swap returned of it. What was sent, if that is unknown. */
async function readSoldNative(rpc: EvmRpc, receipt: TransactionReceipt, owner: Hex, sentWei: bigint): Promise<bigint> {
  const returnedWei = await readReceivedByBalance(rpc, receipt, owner, sentWei);
  return returnedWei === null ? sentWei : sentWei - returnedWei;
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
