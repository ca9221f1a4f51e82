/** What the use cases of agents' mail take. */
import type { Database } from "../platform/database/connection.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
import type { Relay } from "./outgoing/relay.ts";

export interface AgentMail {
  /** The domain of agents' addresses, in lower case. Asked once the service listens: it may follow from the address. */
  domain(): string;
  readonly relay: Relay;
  /** How many letters one agent may send in 24 hours. */
  readonly mailsPerDay: number;
}

export interface AgentMailDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly agentMail: AgentMail;
}
