/** Sitemaps and their indexes (sitemaps.org). */
import { Parser } from "htmlparser2";

const MAX_LOCATIONS = 50_000;

/** Returns the locations in a sitemap, or in an index of sitemaps, in order. */
export function readSitemap(xml: string): { isIndex: boolean; addresses: string[] } {
  const addresses: string[] = [];
  const path: string[] = [];
  let isIndex = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        path.push(name);
        if (name === "sitemapindex") isIndex = true;
        // Image and video sitemap entries use prefixed names, such as `image:loc`, and do not match.
        if (name === "loc" && addresses.length < MAX_LOCATIONS) addresses.push("");
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
