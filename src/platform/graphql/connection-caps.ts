import { networkOf } from "../http/client-address.ts";
import type { GraphqlLimits } from "./limits.ts";
import { requestError } from "./request-errors.ts";

/** A limit on open sockets and streams. `unauthenticated` counts an address's connections without a credential. */
type CapName = "account" | "address" | "unauthenticated" | "total";

/** The limit that a connection would exceed. */
type CapRefusal = { readonly cap: CapName; readonly limit: number };

/** One counted connection. */
export type ConnectionSlot = {
  /** Counts the connection as the account's instead of as unauthenticated. After a refusal it counts as before. */
  authenticate(account: string | undefined): CapRefusal | null;
  leave(): void;
};

export type ConnectionCaps = {
  /** Counts an unauthenticated connection. */
  enter(ip: string): ConnectionSlot | CapRefusal;
  /** Counts a connection whose client is authenticated already. */
  enterAuthenticated(ip: string, account: string | undefined): ConnectionSlot | CapRefusal;
};

type Release = () => void;
type Acquire = () => Release | CapRefusal;

/** Counts open connections in total, by address and by account. All addresses of an IPv6 network count as one. */
export function createConnectionCaps(
  limits: Pick<
    GraphqlLimits,
    "maxConnections" | "maxConnectionsPerIp" | "maxConnectionsPerAccount" | "maxUnauthenticatedPerIp"
  >,
): ConnectionCaps {
  const total = createCounter("total", limits.maxConnections);
  const unauthenticated = createCounter("unauthenticated", limits.maxUnauthenticatedPerIp);
  const byAddress = createCounter("address", limits.maxConnectionsPerIp);
  const byAccount = createCounter("account", limits.maxConnectionsPerAccount);

  // The account is checked first: behind NAT, an address belongs to many accounts.
  const ofClient = (network: string, account: string | undefined): Acquire[] => [
    ...(account === undefined ? [] : [() => byAccount(account)]),
    () => byAddress(network),
  ];
  const open = (releaseTotal: Release, release: Release, network: string): ConnectionSlot => {
    let releases = [releaseTotal, release];
    return {
      authenticate(account) {
        const acquired = acquireAll(ofClient(network, account));
        if ("cap" in acquired) return acquired;
        release();
        releases = [releaseTotal, acquired];
        return null;
      },
      leave() {
        for (const one of releases) one();
        releases = [];
      },
    };
  };
  const enter = (network: string, acquires: readonly Acquire[]): ConnectionSlot | CapRefusal => {
    const acquired = acquireAll(acquires);
    if ("cap" in acquired) return acquired;
    const releaseTotal = total("");
    if ("cap" in releaseTotal) {
      acquired();
      return releaseTotal;
    }
    return open(releaseTotal, acquired, network);
  };

  return {
    enter(ip) {
      const network = networkOf(ip);
      return enter(network, [() => unauthenticated(network)]);
    },
    enterAuthenticated(ip, account) {
      const network = networkOf(ip);
      return enter(network, ofClient(network, account));
    },
  };
}

function createCounter(cap: CapName, limit: number): (key: string) => Release | CapRefusal {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    if (count >= limit) return { cap, limit };
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}

/** Acquires all or none. */
function acquireAll(acquires: readonly Acquire[]): Release | CapRefusal {
  const releases: Release[] = [];
  const releaseAll = () => {
    for (const release of releases) release();
  };
  for (const acquire of acquires) {
    const acquired = acquire();
    if ("cap" in acquired) {
      releaseAll();
      return acquired;
    }
    releases.push(acquired);
  }
  return releaseAll;
}

const SUBJECTS: Readonly<Record<CapName, string>> = {
  account: "open connections of the account",
  address: "open connections of the client address",
  unauthenticated: "open connections of the client address without a credential",
  total: "open connections of this node",
};

/** Returns a sentence that names the limit, short enough for a close frame (123 bytes). */
export function describeCap({ cap, limit }: CapRefusal): string {
  return `The limit of ${limit} ${SUBJECTS[cap]} is reached. Close one.`;
}

/** Returns the error of a refused stream. `extensions.cap` names the limit. */
export function capError(refusal: CapRefusal) {
  const error = requestError(describeCap(refusal), "OPERATION_LIMIT_EXCEEDED", 429);
  Object.assign(error.extensions, refusal);
  return error;
}
