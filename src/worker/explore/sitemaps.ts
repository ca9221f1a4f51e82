/** Lists a merchant's pages from its sitemaps (sitemaps.org). */
import type { Page } from "playwright-core";
import { readSitemap } from "../../checkout/merchant-pages/sitemap.ts";
import { fetchTexts } from "./fetch-texts.ts";

const MAX_SITEMAPS = 12;
const MAX_ADDRESSES = 20_000;
const PRODUCTS = /product|produkt|item|artikel|shop/i;

/** Returns URLs of the site's own pages in sitemap order. Empty without a sitemap. */
export async function readSitemaps(page: Page, origin: string): Promise<string[]> {
  const [robots] = await fetchTexts(page, [`${origin}/robots.txt`], origin);
  const named = [...(robots?.status === 200 ? robots.text : "").matchAll(/^\s*sitemap:\s*(\S+)/gim)].map(
    ([, url = ""]) => url,
  );
  const queue = sameOriginUrls([...named, `${origin}/sitemap.xml`], origin);
  const read = new Set<string>();
  const pages = new Set<string>();
  while (queue.length > 0 && read.size < MAX_SITEMAPS && pages.size < MAX_ADDRESSES) {
    // Sitemaps with product URLs come first.
    queue.sort((one, other) => Number(PRODUCTS.test(other)) - Number(PRODUCTS.test(one)));
    const batch = queue.splice(0, Math.min(4, MAX_SITEMAPS - read.size));
    for (const url of batch) read.add(url);
    for (const sitemap of await fetchTexts(page, batch, origin)) {
      if (sitemap?.status !== 200) continue;
      const { isIndex, addresses } = readSitemap(sitemap.text);
      for (const url of sameOriginUrls(addresses, origin)) {
        if (!isIndex) pages.add(url);
        else if (!read.has(url) && !queue.includes(url)) queue.push(url);
      }
    }
  }
  return [...pages].slice(0, MAX_ADDRESSES);
}

function sameOriginUrls(addresses: readonly string[], origin: string): string[] {
  const urls = addresses.map((address) => URL.parse(address, origin)).filter((url) => url?.origin === origin);
  return [...new Set(urls.map((url) => url?.href ?? ""))];
}
