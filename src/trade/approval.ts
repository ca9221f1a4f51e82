import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex } from "viem";

/** Allows `spender` exactly `amountAtomic`, whatever was allowed before. */
export function approveCall(token: Hex, spender: Hex, amountAtomic: bigint): { to: Hex; data: Hex } {
  const args = [spender, amountAtomic] as const;
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }) };
}

/** Whom the call allows to take something. @throws {Error} when it is no approval */
export function spenderOf(data: string): Hex {
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data as Hex });
  if (functionName !== "approve") throw new Error("This call is no approval.");
  return args[0];
}
