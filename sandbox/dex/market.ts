import { type Abi, encodeDeployData, encodeFunctionData, getAddress, type Hex, parseAbi, toHex } from "viem";
import allowanceHolder from "../contracts/AllowanceHolder.json" with { type: "json" };
import oldToken from "../contracts/OldToken.json" with { type: "json" };
import settler from "../contracts/Settler.json" with { type: "json" };
import token from "../contracts/Token.json" with { type: "json" };
import trap from "../contracts/Trap.json" with { type: "json" };
import weth from "../contracts/Weth.json" with { type: "json" };
import type { EvmChain } from "../evm/chain.ts";
import { placeContract } from "../evm/contracts.ts";
import { issuerEvm } from "../identities.ts";
import { ALLOWANCE_HOLDER, type DexToken, OLD, PLAIN_TOKENS, SETTLER, TOKENS, TRAP, USDC, WETH } from "./tokens.ts";

/** The exchange's contracts on chain. */
export interface Market {
  chain: EvmChain;
  /** Returns the current proceeds of a sale; 0 if there is no pool. */
  quote(sellToken: Hex, sellAmount: bigint, buyToken: Hex): Promise<bigint>;
  /** Returns the current price of a purchase; 0 if the pools do not have the amount. */
  quotePurchase(sellToken: Hex, buyToken: Hex, buyAmount: bigint): Promise<bigint>;
  allowance(token: Hex, owner: Hex): Promise<bigint>;
  balance(token: Hex, owner: Hex): Promise<bigint>;
  isContract(address: Hex): Promise<boolean>;
  /** Mints a token of the exchange. */
  fund(token: DexToken, to: Hex, amountAtomic: bigint): Promise<void>;
}

const marketAbi = parseAbi([
  "function mint(address to, uint256 amount)",
  "function seed(address token, uint256 tokens, uint256 dollars)",
  "function pools(address token) view returns (uint256 tokens, uint256 dollars)",
  "function quote(address sellToken, uint256 sellAmount, address buyToken) view returns (uint256)",
  "function quotePurchase(address sellToken, address buyToken, uint256 buyAmount) view returns (uint256)",
  "function balanceOf(address owner) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
]);

/** Ether that backs the whole WETH supply. */
const WETH_BACKING_WEI = 10n ** 25n;
/** Token stock of the contract `Trap`, from which it pays during a simulation. */
const STOCK = 1_000_000n;

/** Deploys the exchange's contracts and fills its pools. On a chain that already has them no amount changes. */
export async function openMarket(chain: EvmChain): Promise<Market> {
  const { client, issuer } = chain;
  const deploy = (address: Hex, { abi, bytecode }: { abi: unknown; bytecode: string }, args: readonly unknown[]) =>
    placeContract(client, address, encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args }));
  await Promise.all([
    deploy(ALLOWANCE_HOLDER, allowanceHolder, []),
    deploy(SETTLER, settler, [ALLOWANCE_HOLDER, WETH.address, USDC.address, issuerEvm.address]),
    deploy(TRAP, trap, [ALLOWANCE_HOLDER, WETH.address]),
    deploy(WETH.address, weth, [issuerEvm.address]),
    deploy(OLD.address, oldToken, [issuerEvm.address]),
    ...PLAIN_TOKENS.map((each) =>
      deploy(each.address, token, [each.name, each.symbol, each.decimals, issuerEvm.address]),
    ),
  ]);
  const backing = (await client.getBalance({ address: WETH.address })) < WETH_BACKING_WEI / 2n;
  if (backing) {
    await client.request({ method: "anvil_setBalance", params: [WETH.address, toHex(WETH_BACKING_WEI)] } as never);
  }

  const read = (
    address: Hex,
    functionName: "quote" | "quotePurchase" | "balanceOf" | "allowance",
    args: readonly unknown[],
  ) => client.readContract({ address, abi: marketAbi, functionName, args } as never) as Promise<bigint>;

  async function send(to: Hex, functionName: "mint" | "seed", args: readonly unknown[]): Promise<void> {
    const data = encodeFunctionData({ abi: marketAbi, functionName, args } as never);
    const { status } = await chain.waitForReceipt(await issuer.send({ to, data }));
    if (status !== "success") throw new Error(`${functionName} failed on ${to}`);
  }

  const fund = (each: DexToken, to: Hex, amountAtomic: bigint) => send(each.address, "mint", [to, amountAtomic]);

  for (const each of TOKENS) {
    if (!each.pool) continue;
    const pool = { address: SETTLER, abi: marketAbi, functionName: "pools", args: [getAddress(each.address)] } as const;
    const [tokensNow] = await client.readContract(pool);
    if (tokensNow > 0n) continue;
    const tokens = each.pool.tokens * 10n ** BigInt(each.decimals);
    const dollars = each.pool.dollars * 10n ** BigInt(USDC.decimals);
    await Promise.all([
      fund(each, SETTLER, tokens),
      fund(USDC, SETTLER, dollars),
      fund(each, TRAP, STOCK * 10n ** BigInt(each.decimals)),
      fund(USDC, TRAP, STOCK * 10n ** BigInt(USDC.decimals)),
    ]);
    await send(SETTLER, "seed", [each.address, tokens, dollars]);
  }

  return {
    chain,
    fund,
    quote: (sellToken, sellAmount, buyToken) => read(SETTLER, "quote", [sellToken, sellAmount, buyToken]),
    quotePurchase: (sellToken, buyToken, buyAmount) => read(SETTLER, "quotePurchase", [sellToken, buyToken, buyAmount]),
    allowance: (address, owner) => read(address, "allowance", [owner, ALLOWANCE_HOLDER]),
    balance: (address, owner) => read(address, "balanceOf", [owner]),
    async isContract(address) {
      const code = await client.getCode({ address });
      return code !== undefined && code !== "0x";
    },
  };
}
