import type { KeyEncryptionKeys } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";

/** Dependencies of driving orders. */
export interface OrderDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly keks: KeyEncryptionKeys;
  /** Maximum wait for a worker, and maximum duration of a checkout until the card is submitted. */
  readonly checkoutTimeoutMs: number;
}

/** Dependencies of handing orders to workers. */
export interface JobDeps extends OrderDeps {
  /** Origin patterns (`isOriginMatch`) of known card processors, and of services for banks' 3-D Secure challenges. */
  readonly processorOrigins: readonly string[];
  readonly issuerOrigins: readonly string[];
}

/** Long timeouts for transactions that must succeed: the embedded database runs one transaction at a time. */
export const LONG_TRANSACTION = { maxWait: 10_000, timeout: 20_000 };
