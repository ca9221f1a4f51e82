/** Dependencies of the agent use cases. */
import type { SharedPause } from "../platform/concurrency/shared-pause.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { Chains } from "../wallet/chain.ts";
import type { Vault } from "../wallet/vault.ts";
import type { Wallets } from "../wallet/wallets.ts";
import type { Registry } from "./registry.ts";

/** What an account owner chooses about the public agent. */
export interface AgentChoice {
  /** Whether an agent is registered on chain. */
  readonly wantsAgent: boolean;
  /** Whether the registration file contains the mailbox's address and name. */
  readonly publishesMailbox: boolean;
  /** Whether the registration file contains the wallet's address and the registry links it. */
  readonly publishesWallet: boolean;
}

export interface AgentSettings {
  /** The choice for account owners who have not chosen. */
  readonly defaults: AgentChoice;
  /** Registry for new agents. Existing agents remain in the registry they were created for. */
  readonly registry: Registry;
  /** Maximum number of agents whose registration the treasury pays for in 24 hours. */
  readonly registrationsPerDay: number;
  /** Whether the operator has configured the service's address. Else it may differ at each start. */
  readonly hasPublicAddress: boolean;
  /** Creations of agents in progress on this node, by account id. They never reject. */
  readonly creations: Map<string, Promise<void>>;
  /** Time after which an unmined transaction is replaced by one with higher fees. */
  readonly stuckAfterMs: number;
  /** Pauses of networks that are unavailable. */
  readonly unavailable: SharedPause;
  /** Pauses of transactions on networks whose fees the treasury cannot pay. */
  readonly unfunded: SharedPause;
}

export interface AgentDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly wallets: Wallets;
  readonly chains: Chains;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly site: Site;
  /** Key encryption keys that seal the agents' holder keys. */
  readonly keks: KeyEncryptionKeys;
  readonly agents: AgentSettings;
}
