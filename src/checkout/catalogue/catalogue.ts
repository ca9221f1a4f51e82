/** Product catalogues that cover many merchants: the search index of this service, or a remote one. */

/** Maximum number of merchants in one call (spec section 8). */
export const MAX_MERCHANTS_PER_CALL = 1_000;

export interface CatalogueQuery {
  readonly query: string;
  readonly country: string;
  /** Currency of the country. Products priced in it precede others. */
  readonly currency: string;
  /** Merchant hosts, including non-default ports. */
  readonly shops: readonly string[];
  readonly limit: number;
}

/** A product that a catalogue found, by its best variant: available, then cheapest. */
export interface CatalogueProduct {
  readonly shop: string;
  readonly sku: string;
  readonly productId: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly vendor: string | null;
  readonly priceMinor: number;
  readonly compareAtMinor: number | null;
  readonly currency: string;
  readonly available: boolean;
  readonly imageUrl: string | null;
  readonly productUrl: string;
  /** How well the product matches: 0 for all words in its title; higher numbers match worse. */
  readonly tier: number;
}

export interface CatalogueResponse {
  readonly products: readonly CatalogueProduct[];
  /** Number of requested merchants that the catalogue covers. */
  readonly shopsSearched: number;
}

export interface Catalogue {
  /** Rails of the merchants that the catalogue can cover. */
  readonly rails: readonly string[];
  /** @throws {CatalogUnavailableError} */
  search(query: CatalogueQuery): Promise<CatalogueResponse>;
}
