/** Markets that can be searched (spec section 4.8). */
export const MARKETS = [
  ["US", "United States"],
  ["GB", "United Kingdom"],
  ["CA", "Canada"],
  ["AU", "Australia"],
] as const;

/** The country, if it is a market. */
export function marketOf(countryCode: string | undefined): string | null {
  return MARKETS.find(([code]) => code === countryCode)?.[0] ?? null;
}

/** Where the browser says its person lives, if that is a market. */
export function ownMarket(languages: readonly string[]): string {
  const regions = languages.map(regionOf);
  return MARKETS.find(([code]) => regions.includes(code))?.[0] ?? "US";
}

/** Undefined also where it is no language tag: some Chromiums say `en-US@posix`. */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).region;
  } catch {
    return undefined;
  }
}

/** A product's page, if that is what was pasted; else words to search for. */
export function readWish(written: string): { readonly url: string } | { readonly q: string } {
  const text = written.trim();
  const isAddress = /^https?:\/\/\S+$/i.test(text) || /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S+$/.test(text);
  if (!isAddress) return { q: text };
  return { url: text.includes("://") ? text : `https://${text}` };
}
