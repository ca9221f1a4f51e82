import type { Database } from "../platform/database.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Logger } from "../platform/logger.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";

/** What finding and pricing takes. */
export interface PricingDeps {
  readonly db: Database;
  readonly egress: Egress;
  readonly logger: Logger;
  readonly checkout: CheckoutSettings;
}

export interface CheckoutSettings {
  /** Searches many shops at once; null where none is configured. */
  readonly catalogue: Catalogue | null;
}
