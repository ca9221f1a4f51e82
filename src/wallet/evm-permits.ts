/**
 * How an EIP-2612 permit stands on chain. A permit only grants an allowance; the money moves when the spender takes it,
 * at any time later. So three questions: who used the nonce, how much of the allowance is gone, and in which transaction.
 */
import {
  decodeEventLog,
  encodeEventTopics,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  type RpcLog,
  toFunctionSelector,
} from "viem";
import type { AuthorizationState, PermitQuery } from "./chain.ts";
import { LIFETIME_SECONDS, unusedState } from "./evm-authorizations.ts";
import { searchLogs } from "./evm-log-search.ts";
import type { AtOneBlock } from "./evm-readings.ts";
import { type EvmRpc, tokenAbi } from "./evm-rpc.ts";

const TRANSFER_FROM = toFunctionSelector("transferFrom(address,address,uint256)");

/** `permitState` of `EvmChain`. */
export async function permitState(rpc: EvmRpc, q: PermitQuery): Promise<AuthorizationState> {
  const token = { address: q.asset, abi: tokenAbi };
  const at = await rpc.readAtOneBlock([
    { ...token, functionName: "nonces", args: [q.owner] },
    { ...token, functionName: "allowance", args: [q.owner, q.spender] },
  ]);
  const [nextNonce, allowanceAtomic] = at.values as [bigint, bigint];
  // The token takes a permit until the second of its deadline.
  if (nextNonce <= q.nonce) return unusedState(at, q.deadline);

  const use = await findUse(rpc, at, q, nextNonce);
  if (!use) return { state: "used", txHash: null, chargedAtomic: null };
  // Another permit took our nonce, so ours can never be submitted. Past the deadline only: until then an RPC whose logs lag
  // behind its state may be showing an older permit in place of ours.
  if (!use.ours) return unusedState(at, q.deadline);
  // A later permit for the same spender set the allowance anew, so it no longer tells what ours gave.
  const takenAtomic = use.replaced ? null : q.valueAtomic - allowanceAtomic;
  if (takenAtomic === 0n) return { state: "open" };
  return {
    state: "used",
    txHash: await findDraw(rpc, at, q, use.blockNumber, takenAtomic),
    chargedAtomic: takenAtomic,
  };
}

interface Use {
  readonly ours: boolean;
  readonly replaced: boolean;
  readonly blockNumber: bigint;
}

/**
 * Every permit used logs one Approval and takes one nonce, in order: the newest belongs to `nextNonce − 1`, and so on back
 * to ours. Approvals that the owner sent itself take no nonce.
 */
async function findUse(rpc: EvmRpc, at: AtOneBlock, q: PermitQuery, nextNonce: bigint): Promise<Use | undefined> {
  let nonce = nextNonce;
  let replaced = false;
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Approval", args: { owner: q.owner } }) as Hex[];
  const isLatest = nextNonce === q.nonce + 1n;
  const time = { since: q.deadline - LIFETIME_SECONDS, ...(isLatest ? { until: q.deadline } : {}) };
  return searchLogs(rpc, at, { address: q.asset, topics, ...time }, async (log) => {
    const { args } = decodeEventLog({
      abi: tokenAbi,
      eventName: "Approval",
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data,
    });
    const forSpender = isAddressEqual(args.spender, q.spender);
    if (await isSentBy(rpc, log, q.owner)) {
      replaced ||= forSpender;
      return undefined;
    }
    nonce -= 1n;
    if (nonce === q.nonce) {
      return {
        ours: forSpender && args.value === q.valueAtomic,
        replaced,
        blockNumber: hexToBigInt(log.blockNumber ?? "0x0"),
      };
    }
    replaced ||= forSpender;
    return undefined;
  });
}

async function isSentBy(rpc: EvmRpc, { transactionHash }: RpcLog, owner: Hex): Promise<boolean> {
  if (!transactionHash) return false;
  const { from } = await rpc.ask((client) => client.getTransaction({ hash: transactionHash }));
  return isAddressEqual(from, owner);
}

/**
 * The transaction in which the spender took the money: a Transfer from the owner, in a call that the spender made of the token (or,
 * where the spender is a contract, that was made of the spender). One over the whole amount comes before any other.
 */
async function findDraw(
  rpc: EvmRpc,
  at: AtOneBlock,
  q: PermitQuery,
  sinceBlock: bigint,
  takenAtomic: bigint | null,
): Promise<Hex | null> {
  const { timestamp: since } = await rpc.ask((client) => client.getBlock({ blockNumber: sinceBlock }));
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args: { from: q.owner } }) as Hex[];
  let fallback: Hex | null = null;
  const exact = await searchLogs(
    rpc,
    at,
    { address: q.asset, topics, since },
    async ({ transactionHash, blockNumber, data }) => {
      if (!transactionHash || hexToBigInt(blockNumber ?? "0x0") < sinceBlock) return undefined;
      const { from, to, input } = await rpc.ask((client) => client.getTransaction({ hash: transactionHash }));
      const direct =
        isAddressEqual(from, q.spender) && to && isAddressEqual(to, q.asset) && input.startsWith(TRANSFER_FROM);
      if (!direct && !(to && isAddressEqual(to, q.spender))) return undefined;
      if (hexToBigInt(data) === takenAtomic) return transactionHash;
      fallback ??= transactionHash;
      return undefined;
    },
  );
  return exact ?? fallback;
}
