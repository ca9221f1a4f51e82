/**
 * Exchanges in flight on this node. Before revision 2026-07-28, clients cancel a call by a message and leave its stream open. The
 * message therefore ends that exchange, whose response then counts as not delivered, as after a disconnect.
 */

/** Requests of one account in flight. More are refused. */
const MAX_PER_ACCOUNT = 32;

/** Who sent a request. Ids of requests are unique for one client only. */
export interface Sender {
  readonly accountId: string;
  /** Separates the clients of an account, as far as their requests differ. */
  readonly client: string;
}

export interface RunningExchanges {
  /**
   * Adds an exchange until `delivered` resolves. Returns false if the account has too many.
   * @param end ends the exchange without a response
   */
  add(sender: Sender, requestIds: readonly unknown[], end: () => void, delivered: Promise<boolean>): boolean;
  /** Ends the exchanges of a client that carry a request. */
  cancel(sender: Sender, requestId: unknown): void;
}

export function createRunningExchanges(): RunningExchanges {
  const counts = new Map<string, number>();
  const endsByRequest = new Map<string, Set<() => void>>();
  const keyOf = ({ accountId, client }: Sender, requestId: unknown) => JSON.stringify([accountId, client, requestId]);
  return {
    add(sender, requestIds, end, delivered) {
      const { accountId } = sender;
      const count = counts.get(accountId) ?? 0;
      if (count >= MAX_PER_ACCOUNT) return false;
      counts.set(accountId, count + 1);
      const keys = requestIds.map((id) => keyOf(sender, id));
      for (const key of keys) endsByRequest.set(key, (endsByRequest.get(key) ?? new Set()).add(end));
      void delivered.then(() => {
        const rest = (counts.get(accountId) ?? 1) - 1;
        if (rest === 0) counts.delete(accountId);
        else counts.set(accountId, rest);
        for (const key of keys) {
          const ends = endsByRequest.get(key);
          ends?.delete(end);
          if (ends?.size === 0) endsByRequest.delete(key);
        }
      });
      return true;
    },
    cancel(sender, requestId) {
      for (const end of endsByRequest.get(keyOf(sender, requestId)) ?? []) end();
    },
  };
}
