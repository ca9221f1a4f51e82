import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, parseAbi, toHex, zeroHash } from "viem";
import { unrelatedEvmAddress } from "../identities.ts";
import { type Fault, TRAP_MODES } from "./faults.ts";
import { ALLOWANCE_HOLDER, isNative, PLAIN_TOKENS, SETTLER, TRAP, WETH } from "./tokens.ts";

const execAbi = parseAbi([
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)",
  "struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }",
  "function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)",
  "function deposit() payable",
  "function withdraw(uint256 amount)",
]);

export interface Swap {
  sellToken: Hex;
  /** The most that is transferred, for an exact purchase. */
  sellAmount: bigint;
  buyToken: Hex;
  /** Only for an exact purchase. */
  buyAmount?: bigint | undefined;
  minBuyAmount: bigint;
  taker: Hex;
}

/** Returns the transaction of a quote, modified by the fault. */
export function swapTransaction(swap: Swap, fault: Fault | null): { to: Hex; data: Hex; value: bigint } {
  const { sellToken, sellAmount, buyToken, taker } = swap;
  const value = isNative(sellToken) ? sellAmount : 0n;
  if (isWrap(swap) && fault === null) {
    const data = isNative(sellToken)
      ? encodeFunctionData({ abi: execAbi, functionName: "deposit" })
      : encodeFunctionData({ abi: execAbi, functionName: "withdraw", args: [sellAmount] });
    return { to: WETH.address, data, value };
  }
  if (fault === "token-call") {
    const args = [unrelatedEvmAddress, sellAmount] as const;
    return { to: sellToken, data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }), value: 0n };
  }
  const transferred = fault === "more-than-asked" ? sellAmount * 2n : sellAmount;
  const slippage = {
    recipient: fault === "recipient" ? unrelatedEvmAddress : taker,
    buyToken: fault === "other-buy-token" ? otherThan(buyToken) : buyToken,
    minAmountOut: swap.minBuyAmount,
  };
  const mode = fault === null ? undefined : TRAP_MODES[fault];
  const target = mode === undefined ? SETTLER : TRAP;
  const action =
    mode === undefined
      ? settlerAction(sellToken, transferred, buyToken, swap.buyAmount)
      : encodeAbiParameters(
          [{ type: "address" }, { type: "uint256" }, { type: "uint256" }, { type: "address" }, { type: "address" }],
          [sellToken, transferred, BigInt(mode), unrelatedEvmAddress, otherThan(buyToken)],
        );
  const inner = encodeFunctionData({ abi: execAbi, functionName: "execute", args: [slippage, [action], zeroHash] });
  const data = encodeFunctionData({
    abi: execAbi,
    functionName: "exec",
    args: [target, sellToken, transferred, target, inner],
  });
  if (fault === "spender") return { to: unrelatedEvmAddress, data, value };
  return { to: ALLOWANCE_HOLDER, data, value: fault === "more-value" ? value + 10n ** 15n : value };
}

function settlerAction(sellToken: Hex, sellAmount: bigint, buyToken: Hex, buyAmount: bigint | undefined): Hex {
  const sale = [{ type: "address" }, { type: "uint256" }, { type: "address" }] as const;
  if (buyAmount === undefined) return encodeAbiParameters(sale, [sellToken, sellAmount, buyToken]);
  return encodeAbiParameters([...sale, { type: "uint256" }], [sellToken, sellAmount, buyToken, buyAmount]);
}

/** Returns whether the swap only wraps or unwraps ether, which the WETH contract does. */
export function isWrap({ sellToken, buyToken }: Pick<Swap, "sellToken" | "buyToken">): boolean {
  const [sell, buy] = [sellToken, buyToken].map((token) => (isNative(token) ? "native" : token.toLowerCase()));
  const weth = WETH.address.toLowerCase();
  return (sell === "native" && buy === weth) || (sell === weth && buy === "native");
}

function otherThan(token: Hex): Hex {
  return (
    PLAIN_TOKENS.find(({ address }) => address.toLowerCase() !== token.toLowerCase())?.address ?? toHex(0, { size: 20 })
  );
}
