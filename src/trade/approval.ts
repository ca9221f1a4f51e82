import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex } from "viem";

/** Returns the call that sets the allowance of `spender` to exactly `amountAtomic`, regardless of the previous one. */
export function approveCall(token: Hex, spender: Hex, amountAtomic: bigint): { to: Hex; data: Hex } {
  const args = [spender, amountAtomic] as const;
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }) };
}

/** Returns the spender of an `approve` call. @throws {Error} when it is another call */
export function spenderOf(data: string): Hex {
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data as Hex });
  if (functionName !== "approve") throw new Error("The call is not an approval.");
  return args[0];
}
