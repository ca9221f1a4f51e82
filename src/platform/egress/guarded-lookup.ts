import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isAddressAllowed } from "./addresses.ts";
import { UrlNotAllowedError } from "./errors.ts";

/** Resolves a name to all of its addresses. */
export type ResolveAll = (hostname: string) => Promise<LookupAddress[]>;

export const resolveWithSystem: ResolveAll = (hostname) => systemLookup(hostname, { all: true });

/**
 * A `lookup` for sockets that resolves once, checks every address and hands exactly those to the connection. Nothing
 * resolves the name again before connecting, so a second DNS answer cannot lead elsewhere (DNS rebinding), and the
 * socket still knows the name, so TLS verifies the right certificate. One bad address refuses the whole name.
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
          return callback(new UrlNotAllowedError(`${hostname} leads to a private or reserved address.`), "");
        }
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
