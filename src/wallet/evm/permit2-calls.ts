/** Decodes Permit2 signature transfers from calldata: calls of X402's spender contracts, and calls of Permit2 in a trace. */
import { decodeFunctionData, type Hex, isAddressEqual, parseAbi } from "viem";
import type { EvmRpc } from "./rpc-client.ts";

/** Deployed at the same address on every network (github.com/Uniswap/permit2). */
export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

const STRUCTS = [
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct Details { address to; uint256 requestedAmount; }",
  "struct TokenPermit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }",
  "struct Exact { address to; uint256 validAfter; }",
  "struct Upto { address to; address facilitator; uint256 validAfter; }",
] as const;

/** From `x402ExactPermit2ProxyABI` and `x402UptoPermit2ProxyABI` of `@x402/evm`. */
const exactAbi = parseAbi([
  ...STRUCTS,
  "function settle(Permit permit, address owner, Exact witness, bytes signature)",
  "function settleWithPermit(TokenPermit permit2612, Permit permit, address owner, Exact witness, bytes signature)",
]);
const uptoAbi = parseAbi([
  ...STRUCTS,
  "function settle(Permit permit, uint256 amount, address owner, Upto witness, bytes signature)",
  "function settleWithPermit(TokenPermit permit2612, Permit permit, uint256 amount, address owner, Upto witness, bytes signature)",
]);

/** github.com/Uniswap/permit2, `ISignatureTransfer`. */
const permit2Abi = parseAbi([
  ...STRUCTS,
  "function permitTransferFrom(Permit permit, Details details, address owner, bytes signature)",
  "function permitWitnessTransferFrom(Permit permit, Details details, address owner, bytes32 witness, string witnessTypeString, bytes signature)",
]);

/** The transfer of a call: the owner, the owner's nonce and the amount. */
export interface Permit2Call {
  readonly owner: Hex;
  readonly nonce: bigint;
  readonly amountAtomic: bigint;
}

/** Decodes a call of one of X402's spender contracts. Returns undefined for other calldata. */
export function decodeSpenderCall(data: Hex): Permit2Call | undefined {
  const exact = tryDecode(() => decodeFunctionData({ abi: exactAbi, data }));
  if (exact) {
    const [permit, owner] = exact.functionName === "settle" ? exact.args : [exact.args[1], exact.args[2]];
    return { owner, nonce: permit.nonce, amountAtomic: permit.permitted.amount };
  }
  const upto = tryDecode(() => decodeFunctionData({ abi: uptoAbi, data }));
  if (!upto) return undefined;
  const [permit, amountAtomic, owner] =
    upto.functionName === "settle" ? upto.args : [upto.args[1], upto.args[2], upto.args[3]];
  return { owner, nonce: permit.nonce, amountAtomic };
}

/** A call frame in the result of Geth's `callTracer`. */
interface Frame {
  readonly type: string;
  readonly to?: Hex;
  readonly input?: Hex;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

/**
 * Returns the Permit2 transfers of a transaction, regardless of the calling contract.
 * @throws {ChainUnavailableError} also when the RPC serves no traces, as most do not.
 */
export async function traceCalls(rpc: EvmRpc, txHash: Hex): Promise<Permit2Call[]> {
  const params = [txHash, { tracer: "callTracer" }];
  const top = await rpc.request((client) => client.request({ method: "debug_traceTransaction", params } as never));
  return collectCalls(top as Frame);
}

function collectCalls({ type, to, input = "0x", error, calls = [] }: Frame): Permit2Call[] {
  // A failed frame reverts all frames below it. A DELEGATECALL runs Permit2's code on the storage of another contract.
  if (error !== undefined) return [];
  const call = type === "CALL" && to && isAddressEqual(to, PERMIT2) ? decodePermit2Call(input) : undefined;
  return [...(call ? [call] : []), ...calls.flatMap(collectCalls)];
}

function decodePermit2Call(data: Hex): Permit2Call | undefined {
  const call = tryDecode(() => decodeFunctionData({ abi: permit2Abi, data }));
  if (!call) return undefined;
  const [permit, details, owner] = call.args;
  return { owner, nonce: permit.nonce, amountAtomic: details.requestedAmount };
}

/** Returns undefined if the calldata does not match the ABI. */
function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
