/** Limit on the requests of an account in flight on this node. A batch counts as its requests. */

export interface CallsInFlight {
  /**
   * Counts requests of the account. There is no queue: its client would time out and repeat the call.
   * @returns the function that ends them, or null above the maximum
   */
  begin(accountId: string, count: number): (() => void) | null;
}

export function createCallsInFlight(max: number): CallsInFlight {
  const counts = new Map<string, number>();
  return {
    begin(accountId, count) {
      const before = counts.get(accountId) ?? 0;
      if (before + count > max) return null;
      counts.set(accountId, before + count);
      return () => {
        const left = (counts.get(accountId) ?? 0) - count;
        if (left > 0) counts.set(accountId, left);
        else counts.delete(accountId);
      };
    },
  };
}
