/** Markets with product search (spec section 4.8). */
export const MARKETS = [
  ["US", "United States"],
  ["GB", "United Kingdom"],
  ["CA", "Canada"],
  ["AU", "Australia"],
] as const;

/** Returns the country code if it is a market, otherwise null. */
export function findMarket(countryCode: string | undefined): string | null {
  return MARKETS.find(([code]) => code === countryCode)?.[0] ?? null;
}

/** Returns the market of the browser's languages, or US if none matches. */
export function browserMarket(languages: readonly string[]): string {
  const regions = languages.map(findRegion);
  return MARKETS.find(([code]) => regions.includes(code))?.[0] ?? "US";
}

/** Returns undefined for invalid language tags too. Some Chromium builds report `en-US@posix`. */
function findRegion(language: string): string | undefined {
  try {
    return new Intl.Locale(language).region;
  } catch {
    return undefined;
  }
}

/** Returns a product URL if the text is one, otherwise a search query. */
export function readSearch(input: string): { readonly url: string } | { readonly q: string } {
  const text = input.trim();
  const isAddress = /^https?:\/\/\S+$/i.test(text) || /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S+$/.test(text);
  if (!isAddress) return { q: text };
  return { url: text.includes("://") ? text : `https://${text}` };
}
