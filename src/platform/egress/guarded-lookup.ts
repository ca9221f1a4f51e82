import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isAddressAllowed } from "./addresses.ts";
import { UrlNotAllowedError } from "./errors.ts";

/** Resolves a host name to all its addresses. */
export type ResolveAll = (hostname: string) => Promise<LookupAddress[]>;

export const resolveWithSystem: ResolveAll = (hostname) => systemLookup(hostname, { all: true });

/**
 * Creates a `lookup` function for sockets that checks every resolved address. The socket connects to exactly these addresses
 * without another DNS query, which prevents DNS rebinding. The socket retains the host name, so TLS verifies the right
 * certificate. One disallowed address rejects the host name.
 */
export function createGuardedLookup(
  allowLoopback: boolean,
  resolveAll: ResolveAll = resolveWithSystem,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) return callback(new Error(`${hostname} has no address.`), "");
        if (!addresses.every(({ address }) => isAddressAllowed(address, allowLoopback))) {
          return callback(new UrlNotAllowedError(`${hostname} resolves to a private or reserved address.`), "");
        }
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
