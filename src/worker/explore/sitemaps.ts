/** Which pages a shop has, as it tells search engines (sitemaps.org). */
import { Parser } from "htmlparser2";
import type { Page } from "playwright-core";
import { fetchTexts } from "./fetch-texts.ts";

const MOST_SITEMAPS = 12;
const MOST_ADDRESSES = 20_000;
const PRODUCTS = /product|produkt|item|artikel|shop/i;

/** Addresses of the shop's own pages, in its order; empty where it tells none. */
export async function readSitemaps(page: Page, origin: string): Promise<string[]> {
  const [robots] = await fetchTexts(page, [`${origin}/robots.txt`]);
  const named = [...(robots?.status === 200 ? robots.text : "").matchAll(/^\s*sitemap:\s*(\S+)/gim)].map(
    ([, url = ""]) => url,
  );
  const waiting = ofShop([...named, `${origin}/sitemap.xml`], origin);
  const read = new Set<string>();
  const pages = new Set<string>();
  while (waiting.length > 0 && read.size < MOST_SITEMAPS && pages.size < MOST_ADDRESSES) {
    // Of many the ones with products come first.
    waiting.sort((one, other) => Number(PRODUCTS.test(other)) - Number(PRODUCTS.test(one)));
    const batch = waiting.splice(0, Math.min(4, MOST_SITEMAPS - read.size));
    for (const url of batch) read.add(url);
    for (const sitemap of await fetchTexts(page, batch)) {
      if (sitemap?.status !== 200) continue;
      const { isIndex, addresses } = locationsIn(sitemap.text);
      for (const url of ofShop(addresses, origin)) {
        if (!isIndex) pages.add(url);
        else if (!read.has(url) && !waiting.includes(url)) waiting.push(url);
      }
    }
  }
  return [...pages].slice(0, MOST_ADDRESSES);
}

function ofShop(addresses: readonly string[], origin: string): string[] {
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
        // Of an image or a video there is a location as well, under a name of its own.
        if (name === "loc" && addresses.length < MOST_ADDRESSES) addresses.push("");
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
