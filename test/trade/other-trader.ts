/** Another trader of the sandbox's exchange, whose swaps move the pools. */
import { expect } from "vitest";
import { callRpc } from "../support/usdc.ts";
import { DAI, HOLDER, type Market, USDC } from "./market.ts";

const TRADER = "0x000000000000000000000000000000000000ba1e";
const GAS = "0x4c4b40";
const ETHER = 10n ** 18n;
/** Above what the service pays, so that a block has these transactions first. */
const FIRST_IN_BLOCK = { maxFeePerGas: "0x2540be400", maxPriorityFeePerGas: "0x12a05f200" };

const DECIMALS = { USDC: 6n, DAI: 18n, AERO: 18n } as const;

export interface Move {
  readonly sell: keyof typeof DECIMALS;
  readonly sellToken: string;
  readonly buyToken: string;
  /** In whole tokens. */
  readonly amount: bigint;
}

/** Purchase of DAI for dollars, which makes DAI more expensive. */
export const buyDai = (amount: bigint): Move => ({ sell: "USDC", sellToken: USDC, buyToken: DAI, amount });

/** Funds the trader for a move and quotes it. `send` sends its transactions, which the next block has first. */
export async function prepareMove(
  market: Market,
  dexUrl: string,
  { sell, sellToken, buyToken, amount }: Move,
): Promise<{ send(): Promise<string[]> }> {
  const atomic = amount * 10n ** DECIMALS[sell];
  await market.fund(TRADER, sell, atomic);
  await market.setNative(TRADER, ETHER);
  const terms = {
    chainId: "8453",
    sellToken,
    buyToken,
    sellAmount: String(atomic),
    taker: TRADER,
    slippageBps: "5000",
  };
  const headers = { "0x-api-key": "any", "0x-version": "v2" };
  const response = await fetch(`${dexUrl}/swap/allowance-holder/quote?${new URLSearchParams(terms)}`, { headers });
  const { transaction } = (await response.json()) as { transaction: { to: string; data: string } };
  const approve = `0x095ea7b3${HOLDER.slice(2).toLowerCase().padStart(64, "0")}${atomic.toString(16).padStart(64, "0")}`;
  return {
    async send() {
      await callRpc(market.rpcUrl, "anvil_impersonateAccount", [TRADER]);
      const hashes: string[] = [];
      for (const [to, data] of [
        [sellToken, approve],
        [transaction.to, transaction.data],
      ]) {
        const unsigned = { from: TRADER, to, data, gas: GAS, ...FIRST_IN_BLOCK };
        hashes.push(await callRpc<string>(market.rpcUrl, "eth_sendTransaction", [unsigned]));
      }
      return hashes;
    },
  };
}

/** Waits until the transactions have succeeded. */
export async function waitForSuccess({ rpcUrl }: Market, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    const mined = () => callRpc<{ status: string } | null>(rpcUrl, "eth_getTransactionReceipt", [hash]);
    await expect.poll(async () => (await mined())?.status).toBe("0x1");
  }
}
