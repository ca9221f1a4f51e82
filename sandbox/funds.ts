/** What an address is given on a chain, in smallest units. */
export interface Funds {
  /** Minted. */
  usdcAtomic?: bigint | undefined;
  /** What it shall have at least; nothing is taken away. */
  nativeAtomic?: bigint | undefined;
  /** Mints only what is missing of `usdcAtomic`. */
  topUp?: boolean | undefined;
}
