import { encodeFunctionData, type Hex, parseAbi, parseSignature } from "viem";
import type { Authorization } from "../../payments/x402/authorization.ts";
import { MULTICALL3 } from "../../wallet/evm/multicall.ts";

const collectAbi = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);
const aggregateAbi = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)",
]);

/**
 * Gas limit of the call, which uses about 110,000. It is fixed, because an estimate would disclose the signed authorization to the node
 * before the purchase is committed.
 */
export const GAS_CALL_LIMIT = 250_000n;

/**
 * Returns the call that collects an EIP-3009 transfer and pays native coin to its sender, both or neither: Multicall3's
 * `aggregate3Value` reverts if a part fails. The authorization names the treasury as its recipient, so no caller can redirect it.
 */
export function gasCall(
  transfer: Extract<Authorization, { kind: "eip3009" }>,
  signature: Hex,
  amountWei: bigint,
): { to: Hex; data: Hex; value: bigint } {
  const { asset, from, to, valueAtomic, validAfter, validBefore, nonce } = transfer;
  const { r, s, yParity } = parseSignature(signature);
  const terms = [from, to, BigInt(valueAtomic), BigInt(validAfter), BigInt(validBefore), nonce] as const;
  const args = [...terms, 27 + yParity, r, s] as const;
  const collect = encodeFunctionData({ abi: collectAbi, functionName: "transferWithAuthorization", args });
  const calls = [
    { target: asset, allowFailure: false, value: 0n, callData: collect },
    { target: from, allowFailure: false, value: amountWei, callData: "0x" },
  ] as const;
  return {
    to: MULTICALL3,
    data: encodeFunctionData({ abi: aggregateAbi, functionName: "aggregate3Value", args: [calls] }),
    value: amountWei,
  };
}
