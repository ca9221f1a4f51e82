/** Dependencies of the event and webhook use cases. */
import type { Database } from "../platform/database/connection.ts";
import type { QueueEmail } from "../platform/email/email-queue.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
import type { Collector } from "./collector.ts";
import type { Deliverer } from "./deliverer.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

/** Services that the events domain provides. */
export interface EventServices {
  readonly collector: Pick<Collector, "follow">;
  readonly deliverer: Omit<Deliverer, "start" | "stop">;
  readonly secrets: WebhookSecrets;
  /** Whether endpoints may have loopback addresses. */
  readonly allowLoopback: boolean;
}

export interface EventDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly queueEmail: QueueEmail;
  readonly settings: { readonly dashboardUrl: string };
  readonly events: EventServices;
}
