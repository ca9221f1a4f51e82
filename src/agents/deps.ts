/** What the agents' use cases need. */

import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { Chains } from "../wallet/chain.ts";
import type { Vault } from "../wallet/vault.ts";
import type { Wallets } from "../wallet/wallets.ts";
import type { Registry } from "./registry.ts";

export interface AgentSettings {
  /** Where new agents are registered. Those there are stay where they were begun. */
  readonly registry: Registry;
  /** How many agents the treasury pays for in 24 hours. */
  readonly registrationsPerDay: number;
  /** A transaction that is not mined after this long is sent again with higher fees. */
  readonly stuckAfterMs: number;
}

export interface AgentDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly wallets: Wallets;
  readonly chains: Chains;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly site: Site;
  /** Seal the keys that credentials are bound to. */
  readonly keks: KeyEncryptionKeys;
  readonly agents: AgentSettings;
}
