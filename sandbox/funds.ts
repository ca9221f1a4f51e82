/** Funds for an address on a chain, in smallest units. */
export interface Funds {
  /** Amount of USDC to mint. */
  usdcAtomic?: bigint | undefined;
  /** Minimum native balance. A higher balance is not reduced. */
  nativeAtomic?: bigint | undefined;
  /** Mints only the difference to `usdcAtomic`. */
  topUp?: boolean | undefined;
}
