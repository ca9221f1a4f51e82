import type { NetworkName } from "../wallet/networks.ts";
import { InsufficientBalanceError, StaleBalanceError } from "../wallet/refusal-reason.ts";
import { reserve } from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import type { PaymentDeps } from "./deps.ts";

/** Limit for a wallet that is charged faster than its balance can be read. */
const MAX_BALANCE_READS = 10;

/**
 * Reserves from the wallet's balance on chain and returns the transaction's id. A balance read before the last charge may include
 * spent funds, so it is read again. One read before a deposit lacks its funds, so a refusal for funds reads it again once.
 *
 * @throws {StaleBalanceError} after ten stale balances, and the errors of `reserve`
 */
export async function reserveFromWallet(
  { db, chains }: Pick<PaymentDeps, "db" | "chains">,
  wallet: { readonly id: string; readonly address: string },
  terms: Omit<Reservation, "source"> & { readonly network: NetworkName },
): Promise<string> {
  const chain = chains.any(terms.network);
  let readAfter: Date | null = null;
  let wasRefused = false;
  for (let reading = 1; ; reading++) {
    const balanceAtomic =
      terms.asset === "native"
        ? await chain.nativeBalanceAtomic(wallet.address)
        : await chain.tokenBalanceAtomic(terms.asset, wallet.address);
    try {
      const source = { kind: "wallet" as const, walletId: wallet.id, balanceAtomic, readAfter };
      return await reserve(db, { ...terms, source });
    } catch (error) {
      const isRefusal: boolean = error instanceof InsufficientBalanceError && !wasRefused;
      if ((!isRefusal && !(error instanceof StaleBalanceError)) || reading === MAX_BALANCE_READS) throw error;
      if (error instanceof StaleBalanceError) readAfter = error.settledAt;
      wasRefused ||= isRefusal;
      // The next read bypasses this node's cache.
      chain.invalidateBalances(wallet.address);
    }
  }
}
