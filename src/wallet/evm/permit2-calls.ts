/** Reading a Permit2 signature transfer out of calldata: of a call of X402's spenders, or of Permit2 within any transaction. */
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

/** As `x402ExactPermit2ProxyABI` and `x402UptoPermit2ProxyABI` of `@x402/evm` have them. */
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

/** What a call takes, and by which of the owner's nonces. */
export interface Permit2Call {
  readonly owner: Hex;
  readonly nonce: bigint;
  readonly amountAtomic: bigint;
}

/** What a call of one of X402's spenders takes; undefined when it is none of theirs. */
export function readSpenderCall(data: Hex): Permit2Call | undefined {
  const exact = decoded(() => decodeFunctionData({ abi: exactAbi, data }));
  if (exact) {
    const [permit, owner] = exact.functionName === "settle" ? exact.args : [exact.args[1], exact.args[2]];
    return { owner, nonce: permit.nonce, amountAtomic: permit.permitted.amount };
  }
  const upto = decoded(() => decodeFunctionData({ abi: uptoAbi, data }));
  if (!upto) return undefined;
  const [permit, amountAtomic, owner] =
    upto.functionName === "settle" ? upto.args : [upto.args[1], upto.args[2], upto.args[3]];
  return { owner, nonce: permit.nonce, amountAtomic };
}

/** As Geth's `callTracer` answers. */
interface Frame {
  readonly type: string;
  readonly to?: Hex;
  readonly input?: Hex;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

/**
 * What Permit2 was made to take in a transaction, whoever called it.
 * @throws {ChainUnavailableError} also when the RPC serves no traces; few do.
 */
export async function traceCalls(rpc: EvmRpc, txHash: Hex): Promise<Permit2Call[]> {
  const params = [txHash, { tracer: "callTracer" }];
  const top = await rpc.ask((client) => client.request({ method: "debug_traceTransaction", params } as never));
  return callsIn(top as Frame);
}

function callsIn({ type, to, input = "0x", error, calls = [] }: Frame): Permit2Call[] {
  // What failed was undone with all below it; a DELEGATECALL runs Permit2's code on somebody else's storage.
  if (error !== undefined) return [];
  const call = type === "CALL" && to && isAddressEqual(to, PERMIT2) ? readPermit2Call(input) : undefined;
  return [...(call ? [call] : []), ...calls.flatMap(callsIn)];
}

function readPermit2Call(data: Hex): Permit2Call | undefined {
  const call = decoded(() => decodeFunctionData({ abi: permit2Abi, data }));
  if (!call) return undefined;
  const [permit, details, owner] = call.args;
  return { owner, nonce: permit.nonce, amountAtomic: details.requestedAmount };
}

/** Undefined for calldata of something else. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
