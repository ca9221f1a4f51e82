import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { SigningKeys } from "../platform/crypto/signing-keys.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Site } from "../platform/http/site.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";

/** Dependencies of product search, look-up and pricing. */
export interface PricingDeps {
  readonly db: Database;
  readonly egress: Egress;
  readonly logger: Logger;
  readonly checkout: CheckoutSettings;
}

export interface CheckoutSettings {
  /** Catalogue that product search reads. */
  readonly catalogue: Catalogue;
  /** Whether card security codes are stored; otherwise the cardholder is prompted for the code with each order. */
  readonly storesSecurityCodes: boolean;
  /** Time allowed for the account owner's decision, and again for the dispatch that follows an approval. */
  readonly approvalMs: number;
  /** Origin patterns (`isOriginMatch`) of known card processors. */
  readonly processorOrigins: readonly string[];
}

/** Dependencies of exploring merchants. */
export interface ExploreDeps extends PricingDeps {
  readonly pubsub: PubSub;
  readonly rateLimiter: RateLimiter;
}

/** Dependencies of storing cards. */
export interface CardDeps {
  readonly db: Database;
  readonly keks: KeyEncryptionKeys;
  readonly checkout: CheckoutSettings;
}

/** Dependencies of passkey signatures. */
export interface SigningDeps {
  readonly db: Database;
  readonly site: Site;
}

/** Dependencies of approving purchases. */
export interface ApprovalDeps extends SigningDeps {
  readonly pubsub: PubSub;
  readonly checkout: CheckoutSettings;
}

/** Dependencies of signing mandates and evidence. */
export interface MandateDeps extends SigningDeps {
  readonly signingKeys: SigningKeys;
}

/** Dependencies of placing orders. */
export interface DispatchDeps extends PricingDeps, ApprovalDeps, MandateDeps {
  readonly keks: KeyEncryptionKeys;
  readonly rateLimiter: RateLimiter;
}
