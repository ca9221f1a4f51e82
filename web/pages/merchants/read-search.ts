/** Markets that can be searched (spec section 4.8). */
export const MARKETS = [
  ["US", "United States"],
  ["GB", "United Kingdom"],
  ["CA", "Canada"],
  ["AU", "Australia"],
] as const;

/** Where the browser says its person lives, if that is a market. */
export function ownMarket(languages: readonly string[]): string {
  const regions = languages.map((language) => new Intl.Locale(language).region);
  return MARKETS.find(([code]) => regions.includes(code))?.[0] ?? "US";
}

/** A product's page, if that is what was pasted; else words to search for. */
export function readWish(written: string): { readonly url: string } | { readonly q: string } {
  const text = written.trim();
  const isAddress = /^https?:\/\/\S+$/i.test(text) || /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S+$/.test(text);
  if (!isAddress) return { q: text };
  return { url: text.includes("://") ? text : `https://${text}` };
}
