/** Where pages of a shop's checkout may be: what is typed there, the shop is told. */
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";

export interface MerchantOrigins {
  /** Its own origin, those of the recipe, and sites below its name over the same scheme and port. */
  has(url: string): boolean;
  /** As they were met. */
  readonly known: ReadonlySet<string>;
}

/** @param shopUrl any address at the shop */
export function merchantOriginsOf(merchantUrl: string, recipe: RecipeDefinition | null): MerchantOrigins {
  const { origin: own, hostname, protocol, port } = new URL(merchantUrl);
  const site = hostname.replace(/^www\./, "");
  const known = new Set([own, ...(recipe?.checkoutOrigins ?? [])]);
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

/** With a dot in it: below `localhost` and addresses are strangers. */
const isDomainName = (hostname: string) => /\.[a-z][a-z0-9-]*$/i.test(hostname);
