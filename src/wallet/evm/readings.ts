/** Contract readings and the chain's clock in one call of Multicall3 (github.com/mds1/multicall). */
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

/** A contract reading, as viem takes it; `abi` is a constant of the module that asks. */
export interface Reading {
  readonly address: Hex;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** What was read, and the block it was read at. */
export interface MulticallResult {
  readonly values: readonly unknown[];
  readonly blockNumber: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** A reading as Multicall3 takes it. */
export interface ReadingCall {
  readonly target: Hex;
  readonly allowFailure: true;
  readonly callData: Hex;
  /** Of its function alone. */
  readonly abi: Abi;
}

interface Prepared {
  readonly abi: Abi;
  readonly functionName: string;
}

const prepared = new WeakMap<Abi, Map<string, Prepared>>();

const clockAbi: Abi = parseAbi([
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
]);
const CLOCK = ["getBlockNumber", "getCurrentBlockTimestamp"].map((functionName) =>
  callOf({ address: MULTICALL3, abi: clockAbi, functionName, args: [] }),
);

const AGGREGATE = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3" });

/** The function alone, with its selector, whose hash costs more than all else in a call. */
function preparedFor({ abi, functionName }: Reading): Prepared {
  const byName = prepared.get(abi) ?? new Map<string, Prepared>();
  prepared.set(abi, byName);
  const known = byName.get(functionName) ?? prepareEncodeFunctionData({ abi, functionName });
  byName.set(functionName, known);
  return known;
}

/** @throws {Error} when the arguments do not fit the function. */
export function callOf(reading: Reading): ReadingCall {
  const { abi, functionName } = preparedFor(reading);
  const callData = encodeFunctionData({ abi, functionName, args: reading.args });
  return { target: reading.address, allowFailure: true, callData, abi };
}

/** The data of a call that reads the clock and, for each of `asked`, its readings; one that fails spoils no other. */
export function encodeReadings(asked: readonly (readonly ReadingCall[])[]): Hex {
  return encodeFunctionData({ ...AGGREGATE, args: [[...CLOCK, ...asked.flat()]] });
}

/**
 * What the call answered to each of `asked`; null where a contract refused or is not there.
 * @throws {Error} when the answer is none of Multicall3's.
 */
export function decodeReadings(asked: readonly (readonly ReadingCall[])[], data: Hex): (MulticallResult | null)[] {
  const answers = decodeFunctionResult({ abi: AGGREGATE.abi, data });
  let at = 0;
  const valueFor = ({ abi }: ReadingCall): unknown => {
    const answer = answers[at++];
    if (!answer?.success || answer.returnData === "0x") return undefined;
    return decodeFunctionResult({ abi, data: answer.returnData });
  };
  const [blockNumber, timestamp] = CLOCK.map(valueFor);
  if (typeof blockNumber !== "bigint" || typeof timestamp !== "bigint") throw new Error("Multicall3 has no clock.");
  return asked.map((readings) => {
    const values = readings.map(valueFor);
    return values.includes(undefined) ? null : { values, blockNumber, timestamp };
  });
}
