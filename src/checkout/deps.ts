import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { SigningKeys } from "../platform/crypto/signing-keys.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Site } from "../platform/http/site.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
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
  /** Whether cards' security codes are kept; otherwise the person is asked for them with each order. */
  readonly keepsSecurityCodes: boolean;
  /** How long a purchase waits for its person, and then for its dispatch. */
  readonly approvalMs: number;
}

/** What exploring shops takes. */
export interface ExploreDeps extends PricingDeps {
  readonly pubsub: PubSub;
  readonly rateLimiter: RateLimiter;
}

/** What keeping cards takes. */
export interface CardDeps {
  readonly db: Database;
  readonly keks: KeyEncryptionKeys;
  readonly checkout: CheckoutSettings;
}

/** What a person's signature takes. */
export interface SigningDeps {
  readonly db: Database;
  readonly site: Site;
}

/** What approving purchases takes. */
export interface ApprovalDeps extends SigningDeps {
  readonly pubsub: PubSub;
  readonly checkout: CheckoutSettings;
}

/** What signing mandates and evidence takes. */
export interface MandateDeps extends SigningDeps {
  readonly signingKeys: SigningKeys;
}

/** What placing orders takes. */
export interface DispatchDeps extends PricingDeps, ApprovalDeps, MandateDeps {
  readonly keks: KeyEncryptionKeys;
  readonly rateLimiter: RateLimiter;
}
