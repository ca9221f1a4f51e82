import { networkOf } from "../http/client-address.ts";

/** Counts open connections in all, by address and by account. Addresses of one IPv6 network are one. */
export type ConnectionCaps = {
  /** Takes a place for the address; false when there is none. */
  enter(ip: string): boolean;
  leave(ip: string): void;
  enterAccount(account: string): boolean;
  leaveAccount(account: string): void;
  readonly open: number;
};

export function createConnectionCaps(limits: {
  maxConnections: number;
  maxConnectionsPerIp: number;
  maxConnectionsPerAccount: number;
}): ConnectionCaps {
  const byIp = new Map<string, number>();
  const byAccount = new Map<string, number>();
  let open = 0;

  const take = (counts: Map<string, number>, key: string, limit: number) => {
    const count = counts.get(key) ?? 0;
    if (count >= limit) return false;
    counts.set(key, count + 1);
    return true;
  };
  const giveBack = (counts: Map<string, number>, key: string) => {
    const count = counts.get(key) ?? 0;
    if (count > 1) counts.set(key, count - 1);
    else counts.delete(key);
  };

  return {
    enter(ip) {
      if (open >= limits.maxConnections || !take(byIp, networkOf(ip), limits.maxConnectionsPerIp)) return false;
      open++;
      return true;
    },
    leave(ip) {
      giveBack(byIp, networkOf(ip));
      open--;
    },
    enterAccount: (account) => take(byAccount, account, limits.maxConnectionsPerAccount),
    leaveAccount: (account) => giveBack(byAccount, account),
    get open() {
      return open;
    },
  };
}
