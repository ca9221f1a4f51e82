/** Where pages of a shop's checkout may be: what is typed there, the shop is told. */
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";

export interface ShopOrigins {
  /** Its own origin, those of the recipe, and sites below its name over the same scheme and port. */
  has(url: string): boolean;
  /** As they were met. */
  readonly met: ReadonlySet<string>;
}

/** @param shopUrl any address at the shop */
export function shopOriginsOf(shopUrl: string, recipe: RecipeDefinition | null): ShopOrigins {
  const { origin: own, hostname, protocol, port } = new URL(shopUrl);
  const site = hostname.replace(/^www\./, "");
  const met = new Set([own, ...(recipe?.checkoutOrigins ?? [])]);
  return {
    met,
    has(address) {
      const url = URL.parse(address);
      if (!url || url.origin === "null") return false;
      if (met.has(url.origin)) return true;
      const isBelow = isName(site) && (url.hostname === site || url.hostname.endsWith(`.${site}`));
      if (!isBelow || url.protocol !== protocol || url.port !== port) return false;
      met.add(url.origin);
      return true;
    },
  };
}

/** With a dot in it: below `localhost` and addresses are strangers. */
const isName = (hostname: string) => /\.[a-z][a-z0-9-]*$/i.test(hostname);
