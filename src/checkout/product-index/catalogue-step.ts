/** One step of a pass over a merchant's catalogue: at most one request, so that a pass can stop and resume between any two. */
import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import type { HostReader, Validators } from "./host-reader.ts";

/** Position within a pass. */
export const Cursor = z.discriminatedUnion("source", [
  /** `markets`: null before the first request. The page after `after` of the products of `market` is read next. */
  z.object({
    source: z.literal("storefront"),
    country: z.string().nullable(),
    markets: z.array(z.string()),
    market: z.string(),
    after: z.string().nullable(),
  }),
  z.object({ source: z.literal("products_json"), page: z.int() }),
  /** Sitemaps are read first, then the pages that they list in the order of their URLs. */
  z.object({
    source: z.literal("pages"),
    sitemaps: z.array(z.string()),
    readSitemaps: z.array(z.string()),
    /** Whether links are followed, because no sitemap lists a page. */
    isCrawling: z.boolean(),
    after: z.string(),
  }),
]);
export type Cursor = z.output<typeof Cursor>;

/** A product as read, by its best variant. */
export interface ReadProduct {
  readonly productId: string;
  readonly market: string;
  readonly otherMarkets: readonly string[];
  readonly title: string;
  readonly vendor: string | null;
  readonly sku: string;
  readonly variantTitle: string | null;
  readonly priceMinor: number;
  readonly compareAtMinor: number | null;
  readonly currency: string;
  readonly available: boolean;
  readonly imageUrl: string | null;
  readonly productUrl: string;
  /** Further short texts to search, such as types, tags and variants. */
  readonly keywords: readonly string[];
  readonly description: string;
}

/** `products` replace those of the page. With "unchanged" the indexed ones remain, and with "gone" they are removed. */
export interface StepPage {
  readonly url: string;
  readonly products: readonly ReadProduct[] | "unchanged" | "gone";
  readonly validators?: Validators;
}

export interface Step {
  /** Null: the pass is complete. "refused": robots.txt permits no way to read the catalogue. */
  readonly next: Cursor | null | "refused";
  readonly page?: StepPage;
  /** URLs of pages that are read later in the pass. */
  readonly listed?: readonly string[];
  /** Whether a request was sent, and had the response status 304. */
  readonly wasRequested: boolean;
  readonly wasUnchanged?: boolean;
  /** Whether the page could not be read. Many in sequence end the slice. */
  readonly wasUnusable?: boolean;
}

/** What a step reads with. */
export interface StepContext {
  readonly egress: Egress;
  readonly host: HostReader;
  /** Currency of catalogues that state none. */
  readonly currency: string;
  /** Returns the first unread page of the pass after a URL. */
  findUnread(after: string): Promise<({ readonly url: string } & Validators) | null>;
  /** Returns the validators of a page, if the index holds products of it. */
  findValidators(url: string): Promise<Validators | undefined>;
  countListed(): Promise<number>;
}

/** Returns the best of a product's variants: available, then cheapest. */
export function pickBest<Variant extends { readonly available: boolean; readonly priceMinor: number }>(
  variants: readonly Variant[],
): Variant | undefined {
  return variants.toSorted(
    (one, other) => Number(other.available) - Number(one.available) || one.priceMinor - other.priceMinor,
  )[0];
}
