/** Orders of kind `explored`: pending until a worker leases them, or completed immediately for a Storefront API merchant. */
import { createHash } from "node:crypto";
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { isUniqueViolation } from "../../platform/database/errors.ts";
import { RateLimitedError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { ExploreDeps } from "../deps.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import type { ExplorationRequest } from "../orders/request.ts";
import { isTerminal, transitionOrder } from "../orders/states.ts";
import { type ExploredMerchant, saveExploration } from "./save-exploration.ts";

/** Explorations per hour and account. Each occupies a browser for minutes free of charge, so the number is limited. */
export const EXPLORATIONS_PER_HOUR = 60;
const MAX_IN_PROGRESS = 3;
const RETRY_AFTER_MS = 30_000;

interface RequestedExploration {
  readonly accountId: string;
  readonly credentialId: string;
  readonly request: ExplorationRequest;
  /** SHA-256 over the canonical JSON (RFC 8785) of the request. */
  readonly dispatchSha256: Uint8Array<ArrayBuffer>;
}

/** Returns the order id of the same exploration in progress; null if there is none. */
export async function findExploration(
  { db }: { readonly db: { readonly prisma: Pick<Prisma.TransactionClient, "checkoutOrder"> } },
  { accountId, dispatchSha256 }: Pick<RequestedExploration, "accountId" | "dispatchSha256">,
): Promise<string | null> {
  const where = { accountId_dispatchSha256: { accountId, dispatchSha256 } };
  const found = await db.prisma.checkoutOrder.findUnique({ where, select: { id: true, status: true } });
  return found && !isTerminal(found.status) ? found.id : null;
}

/** Limits explorations in progress per account. @throws {RateLimitedError} */
export async function assertBelowLimit(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  const live = { accountId, kind: "explored", status: { in: ["pending", "dispatched"] } };
  if ((await tx.checkoutOrder.count({ where: live })) < MAX_IN_PROGRESS) return;
  throw new RateLimitedError(
    `At most ${MAX_IN_PROGRESS} explorations can run at once. Retry when one has ended.`,
    RETRY_AFTER_MS,
  );
}

/** Places the exploration and returns its order id, or that of the same exploration placed concurrently. */
export async function placeExploration(
  deps: ExploreDeps,
  exploration: RequestedExploration,
  known: { readonly merchant: Merchant | null; readonly explored: ExploredMerchant | null },
): Promise<string> {
  try {
    const placeInTransaction = (tx: Prisma.TransactionClient) => writeExploration(tx, exploration, known);
    // The account lock makes the count in `assertBelowLimit` exact. Completed explorations are not counted and need no lock.
    const order = known.explored
      ? await deps.db.prisma.$transaction(placeInTransaction, LONG_TRANSACTION)
      : await withAccountLock(deps.db, exploration.accountId, placeInTransaction);
    publishOrder(deps.pubsub, order);
    return order.id;
  } catch (error) {
    if (!isUniqueViolation(error) && !(error instanceof RateLimitedError)) throw error;
    const first = await findExploration(deps, exploration);
    if (first === null) throw error;
    return first;
  }
}

async function writeExploration(
  tx: Prisma.TransactionClient,
  { accountId, credentialId, request, dispatchSha256 }: RequestedExploration,
  { merchant, explored }: { readonly merchant: Merchant | null; readonly explored: ExploredMerchant | null },
) {
  if (!explored) await assertBelowLimit(tx, accountId);
  await releaseDigest(tx, accountId, dispatchSha256);
  const order = await tx.checkoutOrder.create({
    data: {
      ...{ id: newId("ord"), accountId, credentialId, kind: "explored", status: "pending", dispatchSha256 },
      ...{ request: { ...request } as object, merchantId: merchant?.id ?? null, isTest: merchant?.isTest ?? false },
    },
  });
  if (!explored) return order;
  const saved = await saveExploration(tx, accountId, explored);
  const started = { startedAt: order.createdAt };
  const ended = saved
    ? await transitionOrder(tx, order.id, "explored", {
        columns: { ...started, merchantId: saved.id, isTest: saved.isTest, currency: readCurrency(explored) },
      })
    : await transitionOrder(tx, order.id, "name_not_allowed", { columns: started });
  return ended ?? order;
}

/** Returns the currency of the catalogue that was read. */
function readCurrency({ products: [product], currency }: ExploredMerchant): string {
  return product?.currency ?? currency;
}

/** Replaces the digest of an ended exploration, because merchants change and may be explored again. */
export async function releaseDigest(tx: Prisma.TransactionClient, accountId: string, digest: Uint8Array<ArrayBuffer>) {
  const where = { accountId_dispatchSha256: { accountId, dispatchSha256: digest } };
  const before = await tx.checkoutOrder.findUnique({ where, select: { id: true, status: true } });
  if (!before || !isTerminal(before.status)) return;
  const dispatchSha256 = new Uint8Array(createHash("sha256").update(digest).update(before.id).digest());
  await tx.checkoutOrder.updateMany({ where: { id: before.id, kind: "explored" }, data: { dispatchSha256 } });
}
