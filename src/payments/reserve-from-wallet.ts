import type { NetworkName } from "../wallet/networks.ts";
import { StaleBalanceError } from "../wallet/refusal-reason.ts";
import { reserve } from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import type { PaymentDeps } from "./deps.ts";

/** A wallet that is charged more often than its balance can be read is asked this often. */
const MAX_READINGS = 10;

/**
 * Reserves out of what the chain says the wallet holds. A balance read before the wallet was last charged would count
 * what is gone, so it is read again.
 */
export async function reserveFromWallet(
  { db, chains }: Pick<PaymentDeps, "db" | "chains">,
  wallet: { readonly id: string; readonly address: string },
  terms: Omit<Reservation, "source"> & { readonly network: NetworkName },
): Promise<string> {
  const chain = chains.any(terms.network);
  let readAfter: Date | null = null;
  for (let reading = 1; ; reading++) {
    const balanceAtomic =
      terms.asset === "native"
        ? await chain.nativeBalanceAtomic(wallet.address)
        : await chain.tokenBalanceAtomic(terms.asset, wallet.address);
    try {
      const source = { kind: "wallet" as const, walletId: wallet.id, balanceAtomic, readAfter };
      return await reserve(db, { ...terms, source });
    } catch (error) {
      if (!(error instanceof StaleBalanceError) || reading === MAX_READINGS) throw error;
      readAfter = error.settledAt;
      chain.forgetBalances(wallet.address);
    }
  }
}
