/** Composition of events: the sources of every domain, the collector that reads them, and webhook delivery. */
import { createCollector } from "../../events/collector.ts";
import { createDeliverer } from "../../events/deliverer.ts";
import type { EventServices } from "../../events/deps.ts";
import { queueDisabledEmails } from "../../events/endpoint-health.ts";
import { registerWebhookMetrics } from "../../events/webhook-metrics.ts";
import { createWebhookSecrets } from "../../events/webhook-secrets.ts";
import type { Jobs } from "../../platform/jobs/queue.ts";
import { freezeEvents } from "../event-sources/account.ts";
import { agentEvents, mailEvents } from "../event-sources/agent.ts";
import { mailRecipientEvents } from "../event-sources/mail-recipients.ts";
import { paymentEvents, tradeEvents } from "../event-sources/money.ts";
import { orderEvents } from "../event-sources/orders.ts";
import type { Platform } from "../platform.ts";

/** All event sources. Add a source here to publish the changes of another table. */
const SOURCES = [paymentEvents, tradeEvents, mailEvents, mailRecipientEvents, agentEvents, orderEvents, freezeEvents];

/** Published changes are collected immediately. The sweep finds changes whose notification was lost. */
const SWEEP_INTERVAL_MS = 5_000;
const DISABLED_EMAILS_INTERVAL_MS = 60_000;

export interface RunningEvents extends EventServices {
  /** Called with each notification that this node publishes. */
  onPublish(channel: string, payload: string): void;
  startJobs(jobs: Jobs): Promise<void>;
  stop(): Promise<void>;
}

export function createEvents(platform: Platform): RunningEvents {
  const { db, pubsub, logger, queueEmail, egress, metrics, keks, allowLoopback } = platform;
  const secrets = createWebhookSecrets(keks);
  const settings = {
    get dashboardUrl() {
      return platform.dashboardUrl();
    },
  };
  const deps = { db, pubsub, logger, queueEmail, egress, allowLoopback, settings };
  const deliverer = createDeliverer({ ...deps, secrets, attempts: registerWebhookMetrics(metrics, db) });
  const collector = createCollector({ ...deps, sources: SOURCES, onDeliveriesCreated: () => deliverer.wake() });
  return {
    collector,
    deliverer,
    secrets,
    allowLoopback,
    onPublish: (channel, payload) => collector.queueAnnouncement(channel, payload),
    async startJobs(jobs) {
      await jobs.repeat("collect-events", SWEEP_INTERVAL_MS, () => collector.sweep());
      await jobs.repeat("send-webhook-letters", DISABLED_EMAILS_INTERVAL_MS, () => queueDisabledEmails(deps));
      deliverer.start();
    },
    async stop() {
      await collector.stop();
      await deliverer.stop();
    },
  };
}
