/** Reports from a worker while it drives an order. Each requires the order's lease. */
import { createHash } from "node:crypto";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { LONG_TRANSACTION, type OrderDeps } from "./deps.ts";
import { LeaseLostError } from "./leases.ts";
import { publishOrder } from "./order-events.ts";

export interface Step {
  /** Starts at 1; a step with a recorded number is ignored. */
  readonly seq: number;
  readonly at: Date;
  readonly action: string;
  readonly selector: string | null;
  readonly urlOrigin: string | null;
  readonly outcome: string;
  readonly screenshotId: string | null;
}

export interface Artifact {
  readonly kind: "screenshot" | "har" | "dom";
  readonly contentType: string;
  readonly redactions: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Well above the steps of any checkout; more indicates a faulty worker. */
export const MAX_STEPS = 1_000;
const MAX_ARTIFACTS = 200;

/** Stores steps of the checkout. @throws {LeaseLostError} */
export async function recordSteps(deps: OrderDeps, lease: string, steps: readonly Step[]): Promise<void> {
  await withLeasedOrder(deps, lease, {}, async (tx, orderId) => {
    await tx.checkoutStep.createMany({ data: steps.map((step) => ({ ...step, orderId })), skipDuplicates: true });
  });
}

/** Stores an artifact and returns its id; null if the order has the maximum number. @throws {LeaseLostError} */
export async function recordArtifact(deps: OrderDeps, lease: string, artifact: Artifact): Promise<string | null> {
  const { kind, contentType, bytes } = artifact;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return await withLeasedOrder(deps, lease, {}, async (tx, orderId) => {
    if ((await tx.checkoutArtifact.count({ where: { orderId } })) >= MAX_ARTIFACTS) return null;
    const id = newId("art");
    const data = { id, orderId, kind, contentType, sha256, bytes, redactions: [...artifact.redactions] };
    return (await tx.checkoutArtifact.create({ data, select: { id: true } })).id;
  });
}

/**
 * Stores the action that the order requires from the cardholder, and until when.
 * @param personNeededFor null: no action is required any more
 * @param waitMs how long the order waits for it; null if unknown
 * @throws {LeaseLostError}
 */
export async function recordPersonNeeded(
  deps: OrderDeps,
  lease: string,
  personNeededFor: string | null,
  waitMs: number | null,
): Promise<void> {
  const until = personNeededFor === null || waitMs === null ? null : new Date(Date.now() + waitMs);
  await withLeasedOrder(deps, lease, { personNeededFor, personNeededUntil: until }, async () => {});
}

/**
 * Runs `record` while the order is locked by an update of its row. The order cannot end meanwhile, so ended orders receive
 * no more evidence.
 */
async function withLeasedOrder<Result>(
  { db, pubsub }: OrderDeps,
  lease: string,
  columns: Pick<Prisma.CheckoutOrderUpdateManyMutationInput, "personNeededFor" | "personNeededUntil">,
  record: (tx: Prisma.TransactionClient, orderId: string) => Promise<Result>,
): Promise<Result> {
  const [order, result] = await db.prisma.$transaction(async (tx) => {
    const [leased] = await tx.checkoutOrder.updateManyAndReturn({
      where: { workerJobId: lease, status: "dispatched" },
      data: { ...columns, updatedAt: new Date() },
      select: { id: true, accountId: true },
    });
    if (!leased) throw new LeaseLostError();
    return [leased, await record(tx, leased.id)] as const;
  }, LONG_TRANSACTION);
  publishOrder(pubsub, order);
  return result;
}
