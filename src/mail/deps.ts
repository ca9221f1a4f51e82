/** Dependencies of the agent mail use cases. */
import type { Database } from "../platform/database/connection.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
import type { DeriveIdentifier } from "./deliveries/return-path.ts";
import type { MailVault } from "./mail-vault.ts";
import type { Relay } from "./outgoing/relay.ts";

export interface AgentMail {
  /** Returns the domain of agents' addresses, in lower case. Call it after the service listens: it may derive from the base URL. */
  domain(): string;
  readonly relay: Relay;
  readonly deriveIdentifier: DeriveIdentifier;
  /** The number of emails that one agent may send in 24 hours. */
  readonly mailsPerDay: number;
}

export interface AgentMailDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly agentMail: AgentMail;
  readonly mailVault: MailVault;
}
