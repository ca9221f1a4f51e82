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

/** Long timeouts for transactions that must succeed: the embedded database runs one transaction at a time. */
export const LONG_TRANSACTION = { maxWait: 10_000, timeout: 20_000 };
