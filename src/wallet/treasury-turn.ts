import type { NetworkName } from "./networks.ts";

const lastTurn = new Map<NetworkName, Promise<unknown>>();

/**
 * Does `work` after all that this node does with the treasury on that network: transactions of one sender carry consecutive
 * nonces, so one is chosen and sent before the next. Other nodes do not wait: whoever sends must bear losing its nonce.
 */
export async function inTreasuryTurn<Result>(network: NetworkName, work: () => Promise<Result>): Promise<Result> {
  const turn = (lastTurn.get(network) ?? Promise.resolve()).then(work);
  lastTurn.set(
    network,
    turn.catch(() => {}),
  );
  return await turn;
}
