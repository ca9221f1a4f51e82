/** A merchant's site without an API: robots.txt, sitemap and product pages with structured data and ETags. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SiteProduct {
  readonly title: string;
  readonly description?: string;
  readonly price?: string;
  readonly isSoldOut?: boolean;
}

export interface MerchantSite {
  readonly url: string;
  readonly host: string;
  /** Products by path. */
  readonly products: Map<string, SiteProduct>;
  robots: string;
  /** Responds to each request first; returns whether it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  /** Paths requested, and those of them with the response status 304. */
  readonly requested: string[];
  readonly unchanged: string[];
  stop(): Promise<void>;
}

export async function openMerchantSite(products: Record<string, SiteProduct>): Promise<MerchantSite> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    site.requested.push(path);
    if (site.intercept?.(request, response)) return;
    const product = site.products.get(path);
    if (path === "/robots.txt") return void response.setHeader("content-type", "text/plain").end(site.robots);
    if (path === "/sitemap.xml") return void response.setHeader("content-type", "application/xml").end(sitemap(site));
    if (!product) return void response.writeHead(404).end();
    const html = page(product);
    const etag = `"${createHash("sha256").update(html).digest("hex").slice(0, 16)}"`;
    response.setHeader("etag", etag).setHeader("content-type", "text/html");
    if (request.headers["if-none-match"] !== etag) return void response.end(html);
    site.unchanged.push(path);
    response.writeHead(304).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: MerchantSite = {
    ...{ url: `http://${host}`, host, products: new Map(Object.entries(products)), robots: "", intercept: null },
    ...{ requested: [], unchanged: [] },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}

const sitemap = ({ url, products }: MerchantSite) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...products.keys()]
    .map((path) => `<url><loc>${url}${path}</loc></url>`)
    .join("")}</urlset>`;

function page({ title, description = "", price = "10.00", isSoldOut = false }: SiteProduct): string {
  const data = {
    ...{ "@context": "https://schema.org/", "@type": "Product", name: title, description },
    offers: {
      ...{ "@type": "Offer", price, priceCurrency: "GBP" },
      availability: `https://schema.org/${isSoldOut ? "OutOfStock" : "InStock"}`,
    },
  };
  return `<!doctype html><title>${title}</title><script type="application/ld+json">${JSON.stringify(data)}</script>`;
}
