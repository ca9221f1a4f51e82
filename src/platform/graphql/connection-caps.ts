import { networkOf } from "../http/client-address.ts";

/** Counts open connections in total, by address and by account. All addresses of an IPv6 network count as one. */
export type ConnectionCaps = {
  /** Counts a connection of the address; false if a limit is reached. */
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

  const increment = (counts: Map<string, number>, key: string, limit: number) => {
    const count = counts.get(key) ?? 0;
    if (count >= limit) return false;
    counts.set(key, count + 1);
    return true;
  };
  const decrement = (counts: Map<string, number>, key: string) => {
    const count = counts.get(key) ?? 0;
    if (count > 1) counts.set(key, count - 1);
    else counts.delete(key);
  };

  return {
    enter(ip) {
      if (open >= limits.maxConnections || !increment(byIp, networkOf(ip), limits.maxConnectionsPerIp)) return false;
      open++;
      return true;
    },
    leave(ip) {
      decrement(byIp, networkOf(ip));
      open--;
    },
    enterAccount: (account) => increment(byAccount, account, limits.maxConnectionsPerAccount),
    leaveAccount: (account) => decrement(byAccount, account),
    get open() {
      return open;
    },
  };
}
