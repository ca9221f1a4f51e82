import type { Fees } from "../../wallet/evm/fees.ts";
import type { TradeDeps } from "../deps.ts";
import { type Dex, DexRefusalError, DexUnavailableError } from "../dex.ts";
import { maxCostWei } from "../fees.ts";
import { ETH, USDC } from "../tokens.ts";

/** Sale by which the price is read. The amount of gas itself may be too small to be traded. */
const REFERENCE_WEI = 10n ** 16n;
/** Gas of the treasury's transaction: about 110,000. */
const PURCHASE_GAS = 130_000n;

/**
 * Returns the price of an amount of native coin in USDC's smallest unit, rounded up. It includes the treasury's own network fee. The
 * exchange sets the rate.
 *
 * @throws {DexUnavailableError | TradingNotConfiguredError}
 */
export async function priceGas(
  { wallets }: Pick<TradeDeps, "wallets">,
  dex: Dex,
  amountWei: bigint,
  fees: Fees,
): Promise<bigint> {
  const { evmAddress: taker } = await wallets.treasury();
  const amount = { side: "sell", atomic: REFERENCE_WEI } as const;
  const terms = { sellToken: ETH.address, buyToken: USDC.address, amount, slippageBps: 0, taker };
  try {
    const { buyAtomic } = await dex.price(terms);
    if (buyAtomic <= 0n) throw new DexUnavailableError("NoGasPrice");
    const costWei = amountWei + maxCostWei(PURCHASE_GAS, fees);
    return (costWei * buyAtomic + REFERENCE_WEI - 1n) / REFERENCE_WEI;
  } catch (error) {
    throw error instanceof DexRefusalError ? new DexUnavailableError("NoGasPrice") : error;
  }
}
