import { formatDecimal } from "../src/platform/money.ts";

/** Formats a token amount as a decimal without trailing zeros, or with at least `minFraction` decimal places. */
export function formatTokenAmount(
  { atomic, decimals }: { readonly atomic: string; readonly decimals: number },
  minFraction = 0,
): string {
  return formatDecimal(BigInt(atomic), decimals, minFraction);
}
