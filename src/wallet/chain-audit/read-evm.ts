/**
 * Reading of the transfers from and to the wallets on an EVM network, from the logs of known tokens.
 *
 * The addresses are topics of the filter, in lists of 500 (geth accepts 1,000). A span of up to 2,000 blocks needs one call for its
 * last block and two calls for each list. For 500 wallets on Base, a run every minute makes about 7,000 calls a day. All transfers of
 * USDC on Base would be about 100 MB an hour instead.
 */
import { type Hex, hexToBigInt, numberToHex, pad, type RpcLog, toEventSelector } from "viem";
import { ChainUnavailableError } from "../chain.ts";
import { findLastBlockUntil, isRejectedSpan, SPAN_BLOCKS } from "../evm/log-search.ts";
import type { EvmRpc } from "../evm/rpc-client.ts";
import type { ChainAuditDeps } from "./deps.ts";
import {
  advanceBlocks,
  type Progress,
  type ReadBlock,
  type ReadTransfer,
  readCheckpoints,
  rollBack,
} from "./transfer-store.ts";

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");
/** WETH9 logs no transfer when it wraps or unwraps the native coin. */
const DEPOSIT = toEventSelector("Deposit(address,uint256)");
const WITHDRAWAL = toEventSelector("Withdrawal(address,uint256)");
/** The wrapped native coin of networks built on the OP Stack, such as Base. */
const WRAPPED_NATIVE = "0x4200000000000000000000000000000000000006";
const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
/** A 256-bit word in hex, including `0x`. */
const WORD_CHARS = 66;
const ADDRESSES_PER_FILTER = 500;

/** Counts the RPC requests of a run. */
export interface RequestBudget {
  left: number;
}

/** Returns the last block that may be audited and the latest block. */
export async function readFinalBlock(rpc: EvmRpc, confirmations: number | null) {
  await rpc.checkChain();
  const head = await rpc.request((client) => client.getBlockNumber({ cacheTime: 0 }));
  if (confirmations === null) {
    const final = await rpc.request((client) => client.getBlock({ blockTag: "finalized" }));
    return { head, final: toReadBlock(final) };
  }
  const number = head > BigInt(confirmations) ? head - BigInt(confirmations) : 0n;
  return { head, final: await readBlock(rpc, number) };
}

/** Returns the last final block that is not after a time. */
export async function findBlockAt(rpc: EvmRpc, at: Date, final: ReadBlock): Promise<ReadBlock> {
  const seconds = BigInt(Math.floor(at.getTime() / 1_000));
  return await readBlock(rpc, await findLastBlockUntil(rpc, seconds, final.number));
}

async function readBlock(rpc: EvmRpc, blockNumber: bigint): Promise<ReadBlock> {
  return toReadBlock(await rpc.request((client) => client.getBlock({ blockNumber })));
}

function toReadBlock({ number, hash, timestamp }: { number: bigint; hash: Hex; timestamp: bigint }): ReadBlock {
  return { number, hash, at: new Date(Number(timestamp) * 1_000) };
}

/**
 * Compares the last block that was read with the chain. After a reorganisation, rolls back to the newest checkpoint that is still on
 * the chain and returns true.
 */
export async function handleReorganisation(deps: ChainAuditDeps, rpc: EvmRpc, { block }: Progress): Promise<boolean> {
  const { name } = rpc.network;
  if (await isOnChain(rpc, block)) return false;
  const checkpoints = await readCheckpoints(deps.db, name);
  for (const checkpoint of checkpoints) {
    // The start is always a common ancestor: its hash is then read again.
    const isStart = checkpoint === checkpoints.at(-1);
    if (!isStart && !(await isOnChain(rpc, checkpoint))) continue;
    const current = isStart ? await readBlock(rpc, checkpoint.number) : checkpoint;
    deps.logger.warn(
      { network: name, from: String(block.number), to: String(current.number) },
      "Chain reorganised; its transfers are read again",
    );
    await rollBack(deps.db, name, { ...checkpoint, ...current });
    return true;
  }
  return false;
}

/** Returns whether the chain has the block. A chain that is shorter does not have it. */
async function isOnChain(rpc: EvmRpc, { number, hash }: ReadBlock): Promise<boolean> {
  const block = await rpc.request((client) =>
    client.request({ method: "eth_getBlockByNumber", params: [numberToHex(number), false] }),
  );
  return block?.hash === hash;
}

/**
 * Reads the blocks after the progress, up to `final` or the end of the budget, and stores their transfers. Returns the last block that
 * was read and the number of new transfers, or null if another process advances the same network.
 * @param walletIds ids of the wallets by address in lower case
 */
export async function readBlocks(
  deps: ChainAuditDeps,
  rpc: EvmRpc,
  { block: start, assets }: Progress,
  final: ReadBlock,
  walletIds: ReadonlyMap<string, string>,
  budget: RequestBudget,
): Promise<{ block: ReadBlock; added: number; touched: Set<string> } | null> {
  let block = start;
  let span = SPAN_BLOCKS;
  let added = 0;
  const touched = new Set<string>();
  const addresses = [...walletIds.keys()];
  while (block.number < final.number && budget.left > 0) {
    const fromBlock = block.number + 1n;
    // The block is read before its logs. A reorganisation between the two changes the block, which the next run notices.
    const isLast = final.number - block.number <= span;
    const to = isLast ? final : await readBlock(rpc, block.number + span);
    budget.left -= 1 + 2 * Math.ceil(addresses.length / ADDRESSES_PER_FILTER);
    let logs: RpcLog[];
    try {
      logs = await readLogs(rpc, assets as Hex[], addresses, fromBlock, to.number);
    } catch (error) {
      if (span === 1n || !isRejectedSpan(error)) throw error;
      span /= 2n;
      continue;
    }
    const transfers = logs.flatMap((log) => toTransfers(log, walletIds));
    const count = await advanceBlocks(deps.db, rpc.network, block, to, transfers);
    if (count === null) return null;
    for (const { walletId } of transfers) touched.add(walletId);
    added += count;
    block = to;
  }
  return { block, added, touched };
}

/** Returns the logs of the assets from and to the addresses, once each. */
async function readLogs(
  rpc: EvmRpc,
  assets: Hex[],
  addresses: readonly string[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<RpcLog[]> {
  const range = { address: assets, fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
  const get = (topics: (Hex[] | null)[]): Promise<RpcLog[]> =>
    rpc.request((client) => client.request({ method: "eth_getLogs", params: [{ ...range, topics }] }));
  const calls: Promise<RpcLog[]>[] = [];
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_FILTER) {
    const some = addresses.slice(start, start + ADDRESSES_PER_FILTER).map((address) => pad(address as Hex));
    calls.push(get([[TRANSFER, DEPOSIT, WITHDRAWAL], some]), get([[TRANSFER], null, some]));
  }
  const unique = new Map((await Promise.all(calls)).flat().map((log) => [`${log.blockHash} ${log.logIndex}`, log]));
  const logs = [...unique.values()];
  if (logs.some(({ removed }) => removed)) throw new ChainUnavailableError(rpc.network.name, "RemovedLog");
  return logs;
}

/** Returns the transfers of a log: one for the sender and one for the recipient, if they are wallets. */
function toTransfers(log: RpcLog, walletIds: ReadonlyMap<string, string>): ReadTransfer[] {
  const [event, first, second] = log.topics;
  const asset = log.address.toLowerCase();
  // The event of an NFT has the same signature and three indexed parameters. A token can log data of any length.
  if (!first || log.topics.length > 3 || log.data.length !== WORD_CHARS) return [];
  const isWrapping = event !== TRANSFER;
  if (isWrapping && asset !== WRAPPED_NATIVE) return [];
  if (!isWrapping && !second) return [];
  const from = event === DEPOSIT ? ZERO_ADDRESS : toAddress(first);
  const to = event === DEPOSIT ? toAddress(first) : event === WITHDRAWAL ? ZERO_ADDRESS : toAddress(second as Hex);
  const amountAtomic = hexToBigInt(log.data);
  // Anyone can log a transfer of zero from any address.
  if (amountAtomic === 0n || log.blockNumber === null || log.transactionHash === null) return [];
  const common = {
    txHash: log.transactionHash,
    logIndex: Number(log.logIndex),
    asset,
    amountAtomic,
    blockNumber: hexToBigInt(log.blockNumber),
  };
  const [sender, recipient] = [walletIds.get(from), walletIds.get(to)];
  return [
    ...(sender ? [{ ...common, walletId: sender, direction: "out" as const, counterparty: to }] : []),
    ...(recipient ? [{ ...common, walletId: recipient, direction: "in" as const, counterparty: from }] : []),
  ];
}

const toAddress = (topic: Hex) => `0x${topic.slice(-40)}`.toLowerCase();
