import type { Network } from "./networks.ts";

/** Of one wallet. */
export interface Addresses {
  readonly evmAddress: string;
  readonly solanaAddress: string;
}

/** The wallet's address on that network. */
export function addressOn({ kind }: Network, { evmAddress, solanaAddress }: Addresses): string {
  return kind === "evm" ? evmAddress : solanaAddress;
}
