/** Balances of an account's wallet that its deletion gives up. */
import { z } from "zod";
import { NETWORKS, type NetworkName, USDC_DECIMALS } from "../../wallet/networks.ts";
import type { PersonalDataDeps } from "../deps.ts";

export interface WalletBalance {
  readonly network: NetworkName;
  /** The token's address, or `native`. */
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly atomic: bigint;
}

/** A balance that the account owner gives up: at most this amount. */
export interface AcknowledgedBalance {
  readonly network: string;
  readonly asset: string;
  readonly amountAtomic: string;
}

const Stored = z.array(z.object({ network: z.string(), asset: z.string(), amountAtomic: z.string() }));

/** Parses the column `acknowledged`. */
export function readAcknowledged(column: unknown): readonly AcknowledgedBalance[] {
  return Stored.parse(column);
}

type BalanceDeps = Pick<PersonalDataDeps, "db" | "wallets" | "chains">;

/**
 * Reads the wallet's balances above zero on all networks: USDC, the native token, and tokens bought in trades.
 * @throws {ChainUnavailableError}
 */
export async function readWalletBalances(deps: BalanceDeps, accountId: string): Promise<WalletBalance[]> {
  const { db, wallets, chains } = deps;
  const wallet = await wallets.ofAccount(accountId);
  const bought = await db.prisma.trade.findMany({
    where: { accountId },
    distinct: ["network", "buyToken"],
    select: { network: true, buyToken: true, buySymbol: true, buyDecimals: true },
  });
  const reading = chains.networks.map(async (network) => {
    const { usdc, kind, nativeSymbol, nativeDecimals } = NETWORKS[network];
    const chain = chains.any(network);
    const owner = kind === "evm" ? wallet.evmAddress : wallet.solanaAddress;
    chain.invalidateBalances(owner);
    const tokens = new Map([
      [usdc.address.toLowerCase(), { asset: usdc.address as string, symbol: "USDC", decimals: USDC_DECIMALS }],
    ]);
    for (const { network: at, buyToken, buySymbol, buyDecimals } of bought) {
      const isToken = at === network && /^0x[0-9a-f]{40}$/i.test(buyToken) && !/^0xe{40}$/i.test(buyToken);
      if (isToken && !tokens.has(buyToken.toLowerCase())) {
        tokens.set(buyToken.toLowerCase(), { asset: buyToken, symbol: buySymbol, decimals: buyDecimals });
      }
    }
    const native = { network, asset: "native", symbol: nativeSymbol, decimals: nativeDecimals };
    return await Promise.all([
      chain.nativeBalanceAtomic(owner).then((atomic) => ({ ...native, atomic })),
      ...[...tokens.values()].map(async (token) => ({
        ...{ network, ...token },
        atomic: await chain.tokenBalanceAtomic(token.asset, owner),
      })),
    ]);
  });
  return (await Promise.all(reading)).flat().filter(({ atomic }) => atomic > 0n);
}

/** Returns the balances that exceed what the account owner gave up. */
export function findUnacknowledged(
  balances: readonly WalletBalance[],
  acknowledged: readonly AcknowledgedBalance[],
): WalletBalance[] {
  return balances.filter(
    ({ network, asset, atomic }) =>
      !acknowledged.some(
        (given) => given.network === network && given.asset === asset && BigInt(given.amountAtomic) >= atomic,
      ),
  );
}
