/** Lists a merchant's pages from its sitemaps (sitemaps.org). */
import { Parser } from "htmlparser2";
import type { Page } from "playwright-core";
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
      const { isIndex, addresses } = locationsIn(sitemap.text);
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

function locationsIn(xml: string): { isIndex: boolean; addresses: string[] } {
  const addresses: string[] = [];
  const path: string[] = [];
  let isIndex = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        path.push(name);
        if (name === "sitemapindex") isIndex = true;
        // Image and video sitemap entries use prefixed names, such as `image:loc`, and do not match.
        if (name === "loc" && addresses.length < MAX_ADDRESSES) addresses.push("");
      },
      ontext(text) {
        if (path.at(-1) === "loc" && addresses.length > 0) addresses.push((addresses.pop() ?? "") + text.trim());
      },
      onclosetag: () => void path.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { isIndex, addresses };
}
