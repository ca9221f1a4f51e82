/** Amounts of tokens for fields of type `TokenAmount`. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { findNetwork, USDC_DECIMALS } from "../../src/wallet/networks.ts";
import type { TokenAmount } from "../amounts.ts";
import type { Context } from "../context.ts";
import { findSoldToken } from "./sold-token.ts";

/** Converts an amount to atomic units. Rows of a ledger page contain decimal strings, other rows Prisma decimals. */
export const toAtomic = (amount: Prisma.Decimal | string) =>
  BigInt(typeof amount === "string" ? amount : amount.toFixed(0));

/** Returns an amount of USDC on a network. */
export function toUsdcAmount(network: string, atomic: bigint): TokenAmount {
  const asset = findNetwork(network)?.usdc.address ?? null;
  return { atomic, decimals: USDC_DECIMALS, symbol: "USDC", asset, network };
}

interface LedgerRow {
  readonly id: string;
  readonly type: string;
  readonly network: string | null;
  readonly asset: string | null;
}

/** Returns an amount in the asset of a ledger row: a native coin, the token that a trade sells, USDC, or free credit. */
export function toLedgerAmount(
  context: Context,
  row: LedgerRow,
  amount: Prisma.Decimal | string,
): TokenAmount | Promise<TokenAmount> {
  const { asset, network } = row;
  const atomic = toAtomic(amount);
  const usdc = { atomic, decimals: USDC_DECIMALS, symbol: asset === null ? "USD" : "USDC", asset, network };
  const chain = network === null ? undefined : findNetwork(network);
  if (asset === "native" && chain) return { ...usdc, decimals: chain.nativeDecimals, symbol: chain.nativeSymbol };
  if (row.type !== "trade") return usdc;
  return findSoldToken(context, row.id).then((token) => ({ ...usdc, ...token }));
}
