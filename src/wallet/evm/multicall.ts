/** Contract reads together with the block number and timestamp, in one Multicall3 call (github.com/mds1/multicall). */
import {
  type Abi,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseAbi,
  prepareEncodeFunctionData,
} from "viem";

/** Deployed at the same address on every network. */
export const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** A contract read with viem's parameters. `abi` must be a module constant, because prepared functions are cached by it. */
export interface ContractRead {
  readonly address: Hex;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** The values of a group of reads, and the block at which they were read. */
export interface MulticallResult {
  readonly values: readonly unknown[];
  readonly blockNumber: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** A read encoded for Multicall3. */
export interface EncodedRead {
  readonly target: Hex;
  readonly allowFailure: true;
  readonly callData: Hex;
  /** The ABI of the function alone. */
  readonly abi: Abi;
}

interface PreparedFunction {
  readonly abi: Abi;
  readonly functionName: string;
}

const preparedByAbi = new WeakMap<Abi, Map<string, PreparedFunction>>();

const clockAbi: Abi = parseAbi([
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
]);
const CLOCK = ["getBlockNumber", "getCurrentBlockTimestamp"].map((functionName) =>
  encodeRead({ address: MULTICALL3, abi: clockAbi, functionName, args: [] }),
);

const AGGREGATE = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3" });

/** Returns the function with its selector, cached because the hash of the selector is the largest cost of an encoding. */
function prepareFunction({ abi, functionName }: ContractRead): PreparedFunction {
  const byName = preparedByAbi.get(abi) ?? new Map<string, PreparedFunction>();
  preparedByAbi.set(abi, byName);
  const preparedFunction = byName.get(functionName) ?? prepareEncodeFunctionData({ abi, functionName });
  byName.set(functionName, preparedFunction);
  return preparedFunction;
}

/** Encodes a read. @throws {Error} when the arguments do not match the function. */
export function encodeRead(read: ContractRead): EncodedRead {
  const { abi, functionName } = prepareFunction(read);
  const callData = encodeFunctionData({ abi, functionName, args: read.args });
  return { target: read.address, allowFailure: true, callData, abi };
}

/** Encodes a Multicall3 call that reads the clock and all groups. A failed read does not affect the others. */
export function encodeMulticall(readGroups: readonly (readonly EncodedRead[])[]): Hex {
  return encodeFunctionData({ ...AGGREGATE, args: [[...CLOCK, ...readGroups.flat()]] });
}

/**
 * Decodes the result for each group. A group is null if one of its contracts reverted or does not exist.
 * @throws {Error} when the data is not a valid Multicall3 result.
 */
export function decodeMulticall(
  readGroups: readonly (readonly EncodedRead[])[],
  data: Hex,
): (MulticallResult | null)[] {
  const results = decodeFunctionResult({ abi: AGGREGATE.abi, data });
  let index = 0;
  const decodeNext = ({ abi }: EncodedRead): unknown => {
    const result = results[index++];
    if (!result?.success || result.returnData === "0x") return undefined;
    return decodeFunctionResult({ abi, data: result.returnData });
  };
  const [blockNumber, timestamp] = CLOCK.map(decodeNext);
  if (typeof blockNumber !== "bigint" || typeof timestamp !== "bigint")
    throw new Error("Multicall3 returned no clock.");
  return readGroups.map((reads) => {
    const values = reads.map(decodeNext);
    return values.includes(undefined) ? null : { values, blockNumber, timestamp };
  });
}
