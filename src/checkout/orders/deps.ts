import type { KeyEncryptionKeys } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";

/** What driving orders to their end takes. */
export interface OrderDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly keks: KeyEncryptionKeys;
  /** How long an order may wait for a worker, and a checkout may take before the card is submitted. */
  readonly checkoutTimeoutMs: number;
}

/** For transactions that a worker or a sweep cannot do without: the embedded database does one at a time. */
export const PATIENTLY = { maxWait: 10_000, timeout: 20_000 };
