/** Dependencies of incoming mail. */
import type { Database } from "../../platform/database/connection.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import type { DeriveIdentifier } from "../deliveries/return-path.ts";
import type { MailVault } from "../mail-vault.ts";
import type { IncomingMetrics } from "./incoming-metrics.ts";
import type { MessageReader } from "./message-reader.ts";
import type { OperatorMail } from "./operator-mail.ts";
import type { Spool } from "./spool.ts";

export interface IncomingLimits {
  readonly maxMessageBytes: number;
  /** For messages with neither a DMARC nor an SPF pass. */
  readonly maxUnprovenBytes: number;
  /** Stored mail of one mailbox, and from one host to all mailboxes. */
  readonly mailboxQuotaBytes: number;
  readonly hostQuotaBytes: number;
  /** Messages from one sender to one mailbox. */
  readonly perSenderPerMinute: number;
  /** Messages from one host to all mailboxes. */
  readonly perHostPerMinute: number;
}

export interface IncomingMailDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly spool: Spool;
  readonly reader: MessageReader;
  readonly mailVault: MailVault;
  readonly limits: IncomingLimits;
  readonly deriveIdentifier: DeriveIdentifier;
  readonly metrics: IncomingMetrics;
  readonly operatorMail: OperatorMail;
}
