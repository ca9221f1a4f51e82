/** Fixtures for events and webhooks: collectors and deliverers on a database of their own, without a service. */
import { randomBytes, randomUUID } from "node:crypto";
import { agentEvents, mailEvents } from "../../src/app/event-sources/agent.ts";
import { mailRecipientEvents } from "../../src/app/event-sources/mail-recipients.ts";
import { paymentEvents, tradeEvents } from "../../src/app/event-sources/money.ts";
import { orderEvents } from "../../src/app/event-sources/orders.ts";
import { createCollector } from "../../src/events/collector.ts";
import { createDeliverer, type DelivererDeps } from "../../src/events/deliverer.ts";
import type { EventType } from "../../src/events/event-types.ts";
import { createWebhookSecrets, type SealedSecrets } from "../../src/events/webhook-secrets.ts";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import type { Email } from "../../src/platform/email/mailer.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createMetrics } from "../../src/platform/observability/metrics.ts";

export const SOURCES = [paymentEvents, tradeEvents, mailEvents, mailRecipientEvents, agentEvents, orderEvents];
const kek = localKek(randomBytes(32), "local:test");
export const secrets = createWebhookSecrets({ kek });
const logger = createLogger("silent");

export async function newAccount(db: Database, email: string | null = null): Promise<string> {
  const { id } = await db.prisma.account.create({ data: { id: randomUUID(), email } });
  return id;
}

/** Returns a ledger row of a payment that ended at `at`. */
export function paymentRow(accountId: string, at: Date, status = "settled") {
  return {
    id: newId("tx"),
    accountId,
    type: "x402",
    status,
    direction: "out",
    network: "base",
    asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    amountAtomic: "2500000",
    settledAtomic: status === "settled" ? "2000000" : null,
    amountMicroUsd: 2_500_000n,
    budgetDay: at,
    updatedAt: at,
    settledAt: status === "settled" ? at : null,
  };
}

/** Creates a node's collector. By default, it announces nothing. */
export function newCollector(db: Database, onDeliveriesCreated: () => void = () => {}) {
  return createCollector({
    db,
    pubsub: { publish: () => {} },
    logger,
    sources: SOURCES,
    onDeliveriesCreated,
  });
}

/** Creates a node's deliverer, with the emails it queued. */
export function newDeliverer(db: Database, changes: Partial<DelivererDeps> = {}) {
  const emails: Email[] = [];
  const egress = createEgress({ allowLoopback: true });
  const deliverer = createDeliverer({
    db,
    logger,
    secrets,
    egress,
    queueEmail: async (email) => void emails.push(email),
    settings: { dashboardUrl: "https://satchel.example/dashboard" },
    attempts: createMetrics().counter("attempts_total", "Attempts.", ["outcome"]),
    ...changes,
  });
  const stop = async () => {
    await deliverer.stop();
    await egress.close();
  };
  return { ...deliverer, emails, stop };
}

export async function newEndpoint(
  db: Database,
  accountId: string,
  url: string,
  fields: { eventTypes?: EventType[]; failingSince?: Date; createdAt?: Date } = {},
): Promise<{ id: string; secret: string; sealed: SealedSecrets }> {
  const { secret, sealed } = await secrets.create({ id: newId("whk"), accountId });
  await db.prisma.webhookEndpoint.create({
    data: { ...sealed, url, description: "", eventTypes: [], ...fields },
  });
  return { id: sealed.id, secret, sealed };
}

/** Creates events with due deliveries to an endpoint, as the collector does. Returns the event ids. */
export async function createDueEvents(
  db: Database,
  accountId: string,
  endpointId: string,
  count: number,
): Promise<string[]> {
  const now = new Date();
  const events = Array.from({ length: count }, (_, index) => {
    const transactionId = newId("tx");
    return {
      id: newId("evt"),
      accountId,
      type: "payment.settled",
      subjectId: transactionId,
      payload: { id: transactionId, number: index },
      createdAt: now,
      recordedAt: now,
    };
  });
  await db.prisma.accountEvent.createMany({ data: events });
  await db.prisma.webhookDelivery.createMany({
    data: events.map(({ id }) => ({
      id: newId("whd"),
      endpointId,
      eventId: id,
      eventType: "payment.settled",
      status: "pending",
      nextAttemptAt: new Date(now.getTime() - 1_000),
    })),
  });
  return events.map(({ id }) => id);
}
