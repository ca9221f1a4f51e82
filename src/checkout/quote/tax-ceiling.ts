/**
 * Upper bound of the tax that a merchant adds at checkout. The exact tax is unknown in advance, and the charge must not
 * exceed the approved amount.
 */

/**
 * Basis points on goods and delivery, by country. United States: highest combined rate, rounded up. Canada: HST. Other
 * countries: highest VAT or GST rate.
 */
const HIGHEST_BASIS_POINTS: Readonly<Record<string, number>> = {
  US: 1_300,
  CA: 1_500,
  GB: 2_000,
  AU: 1_000,
  NZ: 1_500,
  JP: 1_000,
};
/** Hungary's VAT, the highest rate worldwide. */
const HIGHEST_WORLDWIDE = 2_700;
const FULL_BASIS_POINTS = 10_000;

/** Returns the amount plus the maximum tax, rounded up. @param country destination */
export function addMaximumTax(amountMinor: number, country: string): number {
  const basisPoints = HIGHEST_BASIS_POINTS[country] ?? HIGHEST_WORLDWIDE;
  return Number(
    (BigInt(amountMinor) * BigInt(FULL_BASIS_POINTS + basisPoints) + BigInt(FULL_BASIS_POINTS - 1)) /
      BigInt(FULL_BASIS_POINTS),
  );
}
