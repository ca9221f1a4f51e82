import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Fault } from "./faults.ts";
import { MARKETS, type MarketName, PRODUCT_TITLE } from "./markets.ts";
import { createMerchant } from "./merchant.ts";
import { createProcessor } from "./processor/processor.ts";
import { processorApp } from "./processor/server.ts";
import type { RecordedCharge } from "./record.ts";
import type { Shape } from "./shape.ts";

/** A running merchant of the gallery. Each has an origin and a record of charges of its own. */
export interface GalleryMerchant {
  readonly name: string;
  readonly url: string;
  readonly market: MarketName;
  readonly country: string;
  readonly currency: string;
  /** The one product, as a global id of the Storefront API, and the total with standard delivery. */
  readonly sku: string;
  readonly productTitle: string;
  readonly totalMinor: number;
  readonly charges: readonly RecordedCharge[];
  /**
   * Returns whether a request that can change state has arrived since a time (ms since the epoch). All merchants share the processor,
   * so a request to it counts for each.
   */
  hasReceivedSince(sinceMs: number): boolean;
}

export interface Gallery {
  /** Origin of the card processor, whose frames and pages receive cards. */
  readonly processorUrl: string;
  /** Starts a merchant with the checkout of a shape, optionally with a fault. */
  open(name: string, shape: Shape, fault?: Fault | null): Promise<GalleryMerchant>;
  stop(): Promise<void>;
}

/** A GET with a query can be a payment, so it counts. */
const canChangeState = ({ method, url }: IncomingMessage) =>
  !/^(?:GET|HEAD|OPTIONS)$/.test(method ?? "") || url?.includes("?") === true;

const SHAPES_FOLDER = join(import.meta.dirname, "shapes");

/** Loads all shapes, by name: the name of their file. */
export async function loadShapes(): Promise<ReadonlyMap<string, Shape>> {
  const files = readdirSync(SHAPES_FOLDER).filter((file) => file.endsWith(".ts"));
  const loaded = files.sort().map(async (file) => {
    const { shape } = (await import(join(SHAPES_FOLDER, file))) as { shape: Shape };
    return [file.slice(0, -".ts".length), shape] as const;
  });
  return new Map(await Promise.all(loaded));
}

/** Starts the gallery's processor. Merchants are started on request. */
export async function openGallery(): Promise<Gallery> {
  const servers: Server[] = [];
  async function serve(app: RequestListener, onChange: () => void): Promise<number> {
    const server = createServer((request, response) => {
      if (canChangeState(request)) onChange();
      app(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }
  const urls = { processor: "" };
  const latest = { atProcessorMs: 0 };
  const noteProcessor = () => {
    latest.atProcessorMs = Date.now();
  };
  const processor = createProcessor(() => urls.processor);
  // Another site than the merchants', as browsers define sites.
  urls.processor = `http://localhost:${await serve(processorApp(processor), noteProcessor)}`;
  return {
    processorUrl: urls.processor,
    async open(name, shape, fault = null) {
      const at = { url: "", latestMs: 0 };
      const note = () => {
        at.latestMs = Date.now();
      };
      const { app, record } = createMerchant({ name, shape, fault, processor, url: () => at.url });
      at.url = `http://127.0.0.1:${await serve(app, note)}`;
      const market = shape.market ?? "GB";
      const { country, currency, goodsMinor, standardMinor } = MARKETS[market];
      return {
        ...{ name, url: at.url, market, country, currency },
        ...{ sku: "gid://shopify/ProductVariant/900011", productTitle: PRODUCT_TITLE },
        ...{ totalMinor: goodsMinor + standardMinor, charges: record.charges },
        hasReceivedSince: (sinceMs) => Math.max(at.latestMs, latest.atProcessorMs) >= sinceMs,
      };
    },
    async stop() {
      await Promise.all(
        servers.map((server) => {
          server.closeAllConnections();
          return new Promise((resolve) => server.close(resolve));
        }),
      );
    },
  };
}
