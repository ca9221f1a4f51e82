/** Origins of a merchant's checkout pages. The merchant receives all data typed there. */
import type { CardEntry } from "../../checkout/worker-protocol/card-entry.ts";

export interface MerchantOrigins {
  /** Whether a URL has the merchant's origin, that of another checkout page, or a subdomain with the same scheme and port. */
  has(url: string): boolean;
  /** The fixed origins and the subdomains seen so far. */
  readonly known: ReadonlySet<string>;
}

/** @param merchantUrl any URL of the merchant's site @param pageOrigins origins of its other checkout pages */
export function merchantOriginsOf(merchantUrl: string, pageOrigins: readonly string[]): MerchantOrigins {
  const { origin: merchantOrigin, hostname, protocol, port } = new URL(merchantUrl);
  const site = hostname.replace(/^www\./, "");
  const known = new Set([merchantOrigin, ...pageOrigins]);
  return {
    known,
    has(address) {
      const url = URL.parse(address);
      if (!url || url.origin === "null") return false;
      if (known.has(url.origin)) return true;
      const isSubdomain = isDomainName(site) && (url.hostname === site || url.hostname.endsWith(`.${site}`));
      if (!isSubdomain || url.protocol !== protocol || url.port !== port) return false;
      known.add(url.origin);
      return true;
    },
  };
}

/** Returns the origins that were fixed when the order was placed. The first is the merchant's own. */
export function createCheckoutOrigins({ pageOrigins }: CardEntry): MerchantOrigins {
  const [merchantOrigin = "", ...others] = pageOrigins;
  return merchantOriginsOf(merchantOrigin, others);
}

/** Returns the merchant's origins and one more, such as that of a hosted payment page. */
export function withOrigin(origins: MerchantOrigins, added: string): MerchantOrigins {
  const known = new Set([...origins.known, added]);
  return {
    known,
    has(address) {
      const origin = URL.parse(address)?.origin;
      if (origin === undefined || origin === "null") return false;
      if (origins.has(address)) known.add(origin);
      return known.has(origin);
    },
  };
}

/** Whether a host name has a top-level domain. Subdomains of `localhost` and IP addresses are not trusted. */
const isDomainName = (hostname: string) => /\.[a-z][a-z0-9-]*$/i.test(hostname);
