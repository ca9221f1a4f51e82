/** What a worker says while it drives an order: each only under the lease that has it. */
import { createHash } from "node:crypto";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { type OrderDeps, PATIENTLY } from "./deps.ts";
import { LeaseLostError } from "./leases.ts";
import { publishOrder } from "./order-events.ts";

export interface Step {
  /** From 1 on; a number that was told before changes nothing. */
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

/** What a checkout can need; more is a worker run wild. */
export const MAX_STEPS = 1_000;
const MAX_ARTIFACTS = 200;

/** @throws {LeaseLostError} */
export async function recordSteps(deps: OrderDeps, lease: string, steps: readonly Step[]): Promise<void> {
  await underLease(deps, lease, {}, async (tx, orderId) => {
    await tx.checkoutStep.createMany({ data: steps.map((step) => ({ ...step, orderId })), skipDuplicates: true });
  });
}

/** Answers the artifact's id; null where the order has as many as it may. @throws {LeaseLostError} */
export async function recordArtifact(deps: OrderDeps, lease: string, artifact: Artifact): Promise<string | null> {
  const { kind, contentType, bytes } = artifact;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return await underLease(deps, lease, {}, async (tx, orderId) => {
    if ((await tx.checkoutArtifact.count({ where: { orderId } })) >= MAX_ARTIFACTS) return null;
    const id = newId("art");
    const data = { id, orderId, kind, contentType, sha256, bytes, redactions: [...artifact.redactions] };
    return (await tx.checkoutArtifact.create({ data, select: { id: true } })).id;
  });
}

/**
 * What the order waits for a person to do; null: nothing any more.
 * @param waitMs how long it does; null: that is not known
 * @throws {LeaseLostError}
 */
export async function recordPersonNeeded(
  deps: OrderDeps,
  lease: string,
  personNeededFor: string | null,
  waitMs: number | null,
): Promise<void> {
  const until = personNeededFor === null || waitMs === null ? null : new Date(Date.now() + waitMs);
  await underLease(deps, lease, { personNeededFor, personNeededUntil: until }, async () => {});
}

/** Locks the order by moving its time, so that it cannot end meanwhile: what has ended gets no more evidence. */
async function underLease<Result>(
  { db, pubsub }: OrderDeps,
  lease: string,
  told: Pick<Prisma.CheckoutOrderUpdateManyMutationInput, "personNeededFor" | "personNeededUntil">,
  record: (tx: Prisma.TransactionClient, orderId: string) => Promise<Result>,
): Promise<Result> {
  const [order, result] = await db.prisma.$transaction(async (tx) => {
    const [held] = await tx.checkoutOrder.updateManyAndReturn({
      where: { workerJobId: lease, status: "dispatched" },
      data: { ...told, updatedAt: new Date() },
      select: { id: true, accountId: true },
    });
    if (!held) throw new LeaseLostError();
    return [held, await record(tx, held.id)] as const;
  }, PATIENTLY);
  publishOrder(pubsub, order);
  return result;
}
